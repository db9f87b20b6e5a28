import type { BalanceRow } from '@voisol/contract/book-views'
import { getAccountLabel } from '@voisol/money/accounts/chart-of-accounts'
import { computeLetterings, type Lettering, type LetteringRow } from '@voisol/money/accounts/lettering'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type AccountingBook, loadBook } from './book.ts'
import type { Entity } from './book-entity.ts'

/** Matches between debits and credits that are still in force on the accounts of an entity. */
async function loadMatchLinks(db: Db, { companyId, id }: Entity): Promise<[string, string][]> {
  const { rows } = await db.execute<{ debit: string; credit: string }>(sql`
    select coalesce(m.debit_invoice_id, m.debit_payment_id) as debit,
           coalesce(m.credit_invoice_id, m.credit_payment_id) as credit
      from matches m
      left join invoices i on i.company_id = m.company_id and i.id = m.debit_invoice_id
      left join payments p on p.company_id = m.company_id and p.id = m.debit_payment_id
     where m.company_id = ${companyId} and coalesce(i.seller_id, p.seller_id) = ${id}
     group by 1, 2 having sum(m.amount) <> 0`)
  return rows.map(({ debit, credit }) => [debit, credit])
}

/** The lettering of rows such as those of a year: a group that is incomplete among them gets no letter. */
const loadLetters = async <R extends LetteringRow>(db: Db, entity: Entity, rows: R[]): Promise<Map<R, Lettering>> =>
  computeLetterings(rows, await loadMatchLinks(db, entity))

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

type DebitCredit = { debit: number; credit: number }

/** Debits and credits of each account over a period: locked entries first, then open ones. */
async function loadAccountSums(
  db: Db,
  book: AccountingBook,
  { from, to }: AccountingPeriod,
): Promise<Map<string, DebitCredit>> {
  const { companyId, id } = book.entity
  const { rows } = await db.execute<{ account: string; debit: string; credit: string }>(sql`
    select l.account, sum(l.debit) as debit, sum(l.credit) as credit
      from book_entries e join book_lines l on l.company_id = e.company_id and l.entry_id = e.id
     where e.company_id = ${companyId} and e.seller_id = ${id} and e.day >= ${from} and e.day < ${to}
     group by 1`)
  const sums = new Map(rows.map((row) => [row.account, { debit: Number(row.debit), credit: Number(row.credit) }]))
  for (const { day, rows: lines } of book.drafts)
    if (isInPeriod({ from, to }, day))
      for (const { account, debit, credit } of lines) {
        const known = sums.get(account) ?? { debit: 0, credit: 0 }
        sums.set(account, { debit: known.debit + debit, credit: known.credit + credit })
      }
  return sums
}

export async function loadTrialBalance(db: Db, entity: Entity, year: number) {
  const book = await loadBook(db, entity)
  const sums = await loadAccountSums(db, book, getAccountingYear(year, book.settings.yearStart))
  const items: BalanceRow[] = [...sums]
    .map(([account, { debit, credit }]) => ({
      account,
      label: getAccountLabel(account, book.settings.chart),
      debit,
      credit,
      balance: debit - credit,
    }))
    .sort((a, b) => (a.account < b.account ? -1 : 1))
  const total = (side: 'debit' | 'credit') => items.reduce((sum, row) => sum + row[side], 0)
  return { items, debit: total('debit'), credit: total('credit') }
}
