import type { Letter } from '@voisol/money/accounts/lettering'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Book } from './book.ts'
import type { Entity } from './entity.ts'
import { lettersFor } from './letters.ts'

export type Span = { from: string; to: string }
const two = (value: number) => String(value).padStart(2, '0')

/** The accounting year that ends in a calendar year; `to` is the first day after it. */
export function exerciseEnding(year: number, yearStart: number): Span {
  const begun = yearStart === 1 ? year : year - 1
  return { from: `${begun}-${two(yearStart)}-01`, to: `${begun + 1}-${two(yearStart)}-01` }
}
/** The calendar year in which the accounting year of a month ends. */
export const endingYear = (month: string, yearStart: number) =>
  Number(month.slice(0, 4)) + (yearStart > 1 && Number(month.slice(5, 7)) >= yearStart ? 1 : 0)
export const within = ({ from, to }: Span, day: string) => day >= from && day < to

type Row = { key: string; account: string; aux: string; item: string; debit: number; credit: number; day: string }
export const lineKey = (source: string, position: number) => `${source}#${position}`

async function lockedRows(db: Db, { companyId, id }: Entity, { from, to }: Span): Promise<Row[]> {
  const { rows } = await db.execute<Omit<Row, 'debit' | 'credit'> & { debit: string; credit: string }>(sql`
    select e.source || '#' || l.position as key, l.account, l.aux, l.item, l.debit, l.credit, e.day::text as day
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.day >= ${from} and e.day < ${to} and l.item <> ''`)
  return rows.map((row) => ({ ...row, debit: Number(row.debit), credit: Number(row.credit) }))
}

const draftRows = ({ drafts }: Book, span: Span): Row[] =>
  drafts
    .filter(({ day }) => within(span, day))
    .flatMap(({ source, day, rows }) => rows.map((row, at) => ({ ...row, day, key: lineKey(source, at) })))

/** The letters of a year's lines, by line; with a book, what is not locked yet is lettered too. */
export async function yearLetters(db: Db, entity: Entity, span: Span, book?: Book): Promise<Map<string, Letter>> {
  const rows = [...(await lockedRows(db, entity, span)), ...(book ? draftRows(book, span) : [])]
  const letters = await lettersFor(db, entity, rows)
  return new Map([...letters].map(([{ key }, letter]) => [key, letter]))
}
