import type { BalanceRow } from '@voisol/contract/book-views'
import { getAccountLabel } from '@voisol/money/accounts/chart'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { type AccountingBook, loadBook } from './book.ts'
import type { Entity } from './entity.ts'
import { type AccountingPeriod, getAccountingYear, isInPeriod } from './year.ts'

type DebitCredit = { debit: number; credit: number }

/** Debits and credits of each account over a period: locked entries first, then open ones. */
export async function loadAccountSums(
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
