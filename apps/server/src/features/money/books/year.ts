import type { Lettering } from '@voisol/money/accounts/lettering'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { AccountingBook } from './book.ts'
import type { Entity } from './entity.ts'
import { loadLetters } from './letters.ts'

export type AccountingPeriod = { from: string; to: string }
const padTwo = (value: number) => String(value).padStart(2, '0')

/** The accounting year that ends in a calendar year; `to` is the first day after it. */
export function getAccountingYear(year: number, yearStart: number): AccountingPeriod {
  const begun = yearStart === 1 ? year : year - 1
  return { from: `${begun}-${padTwo(yearStart)}-01`, to: `${begun + 1}-${padTwo(yearStart)}-01` }
}
/** The calendar year in which the accounting year of a month ends. */
export const getEndingYear = (month: string, yearStart: number) =>
  Number(month.slice(0, 4)) + (yearStart > 1 && Number(month.slice(5, 7)) >= yearStart ? 1 : 0)
export const isInPeriod = ({ from, to }: AccountingPeriod, day: string) => day >= from && day < to

type LetterableRow = {
  key: string
  account: string
  aux: string
  item: string
  debit: number
  credit: number
  day: string
}
export const getBookLineKey = (source: string, position: number) => `${source}#${position}`

async function loadLockedRows(
  db: Db,
  { companyId, id }: Entity,
  { from, to }: AccountingPeriod,
): Promise<LetterableRow[]> {
  const { rows } = await db.execute<Omit<LetterableRow, 'debit' | 'credit'> & { debit: string; credit: string }>(sql`
    select e.source || '#' || l.position as key, l.account, l.aux, l.item, l.debit, l.credit, e.day::text as day
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.day >= ${from} and e.day < ${to} and l.item <> ''`)
  return rows.map((row) => ({ ...row, debit: Number(row.debit), credit: Number(row.credit) }))
}

const listDraftRows = ({ drafts }: AccountingBook, period: AccountingPeriod): LetterableRow[] =>
  drafts
    .filter(({ day }) => isInPeriod(period, day))
    .flatMap(({ source, day, rows }) => rows.map((row, at) => ({ ...row, day, key: getBookLineKey(source, at) })))

/** The lettering of a year's lines, by line; with a book, open entries are lettered too. */
export async function loadYearLetters(
  db: Db,
  entity: Entity,
  period: AccountingPeriod,
  book?: AccountingBook,
): Promise<Map<string, Lettering>> {
  const rows = [...(await loadLockedRows(db, entity, period)), ...(book ? listDraftRows(book, period) : [])]
  const letters = await loadLetters(db, entity, rows)
  return new Map([...letters].map(([{ key }, letter]) => [key, letter]))
}
