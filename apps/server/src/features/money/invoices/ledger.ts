import type { Ageing, InvoiceState, InvoiceTotals } from '@voisol/contract/invoice-views'
import { daysBetween } from '@voisol/money/days'
import { openOf, setOff } from '@voisol/money/ledger'
import type { Db } from '../../../db/client.ts'
import { type PairAccount, readAccounts } from './entries.ts'

/** By document or payment: what is left of it. */
export type Open = ReadonlyMap<string, number>

/** What is stored, and what is to be set off at the next posting: whoever looks before sees the same. */
export const matchesOfAccount = ({ entries, matches }: Omit<PairAccount, 'pair'>) => [
  ...matches,
  ...setOff(entries, matches),
]

export const openOfAccount = (account: Omit<PairAccount, 'pair'>): Map<string, number> =>
  openOf(account.entries, matchesOfAccount(account))

export const openOfAll = (accounts: readonly PairAccount[]): Open =>
  new Map(accounts.flatMap((account) => [...openOfAccount(account)]))

/** All documents of a company, or of some buyers: a credit note may settle what another list would leave out. */
export const readOpen = async (db: Db, companyId: number, buyerIds?: string[]): Promise<Open> =>
  openOfAll(await readAccounts(db, companyId, buyerIds ? { buyerIds } : {}))

type Standing = { kind: string; dueOn: string; open: number }

export function stateOf({ kind, dueOn, open }: Standing, today: string): InvoiceState {
  if (kind === 'statement') return 'told'
  if (open === 0) return 'settled'
  if (kind === 'creditNote') return 'credit'
  return dueOn < today ? 'overdue' : 'due'
}

const bucketOf = (dueOn: string, today: string): keyof Ageing => {
  const late = daysBetween(dueOn, today)
  if (late <= 0) return 'notDue'
  if (late <= 30) return 'upTo30'
  return late <= 60 ? 'upTo60' : 'over60'
}

type Summed = { kind: string; net: number; tax: number; gross: number; wh?: number }
const SIGNS: Record<string, { money: number; energy: number }> = {
  creditNote: { money: -1, energy: -1 },
  // It tells energy that nobody pays for.
  statement: { money: 0, energy: 1 },
}
const ADDED = { money: 1, energy: 1 }

/** What documents come to, wherever they are summed: a credit note takes away what the others add. */
export function sumOf(rows: readonly Summed[]) {
  const totals = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const { kind, wh = 0, net, tax, gross } of rows) {
    const { money, energy } = SIGNS[kind] ?? ADDED
    totals.wh += energy * wh
    totals.net += money * net
    totals.tax += money * tax
    totals.gross += money * gross
  }
  return totals
}

type Counted = Standing & { net: number; tax: number; gross: number; state: InvoiceState }

/** What a list of documents comes to, and what is left of it. */
export function totalsOf(rows: readonly Counted[], today: string): InvoiceTotals {
  const ageing: Ageing = { notDue: 0, upTo30: 0, upTo60: 0, over60: 0 }
  const { net, tax, gross } = sumOf(rows)
  const totals = { documents: rows.length, net, tax, gross, open: 0, overdue: 0, credit: 0 }
  for (const row of rows) {
    if (row.state === 'credit') totals.credit += row.open
    if (row.state !== 'due' && row.state !== 'overdue') continue
    totals.open += row.open
    if (row.state === 'overdue') totals.overdue += row.open
    ageing[bucketOf(row.dueOn, today)] += row.open
  }
  return { ...totals, ageing }
}
