import type { Ageing, InvoiceState, InvoiceTotals } from '@voisol/contract/invoice-views'
import { daysBetween } from '@voisol/money/days'
import { computeOpenAmounts, matchOpenCredits } from '@voisol/money/ledger'
import type { Db } from '../../../db/client.ts'
import { loadPairAccounts, type PairAccount } from './entries.ts'

/** The open amount by document or payment. */
export type OpenAmounts = ReadonlyMap<string, number>

/** Stored matches, and those the next posting would make, so that reads before and after it agree. */
export const listAccountMatches = ({ entries, matches }: Omit<PairAccount, 'pair'>) => [
  ...matches,
  ...matchOpenCredits(entries, matches),
]

export const computeAccountOpenAmounts = (account: Omit<PairAccount, 'pair'>): Map<string, number> =>
  computeOpenAmounts(account.entries, listAccountMatches(account))

export const computeOpenAmountsOfAccounts = (accounts: readonly PairAccount[]): OpenAmounts =>
  new Map(accounts.flatMap((account) => [...computeAccountOpenAmounts(account)]))

/**
 * Open amounts of all documents of a company or of some buyers: a credit note may settle a document outside a narrower
 * list.
 */
export const loadOpenAmounts = async (db: Db, companyId: number, buyerIds?: string[]): Promise<OpenAmounts> =>
  computeOpenAmountsOfAccounts(await loadPairAccounts(db, companyId, buyerIds ? { buyerIds } : {}))

type OpenDocument = { kind: string; dueOn: string; open: number }

export function getInvoiceState({ kind, dueOn, open }: OpenDocument, today: string): InvoiceState {
  if (kind === 'statement') return 'told'
  if (open === 0) return 'settled'
  if (kind === 'creditNote') return 'credit'
  return dueOn < today ? 'overdue' : 'due'
}

const getAgeingBucket = (dueOn: string, today: string): keyof Ageing => {
  const daysLate = daysBetween(dueOn, today)
  if (daysLate <= 0) return 'notDue'
  if (daysLate <= 30) return 'upTo30'
  return daysLate <= 60 ? 'upTo60' : 'over60'
}

type SummedDocument = { kind: string; net: number; tax: number; gross: number; wh?: number }
const SIGN_BY_KIND: Record<string, { money: number; energy: number }> = {
  creditNote: { money: -1, energy: -1 },
  // It reports energy that nobody pays for.
  statement: { money: 0, energy: 1 },
}
const DEFAULT_SIGN = { money: 1, energy: 1 }

/** Sums documents the same way everywhere: a credit note is subtracted. */
export function sumDocuments(rows: readonly SummedDocument[]) {
  const totals = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const { kind, wh = 0, net, tax, gross } of rows) {
    const { money, energy } = SIGN_BY_KIND[kind] ?? DEFAULT_SIGN
    totals.wh += energy * wh
    totals.net += money * net
    totals.tax += money * tax
    totals.gross += money * gross
  }
  return totals
}

type CountedDocument = OpenDocument & { net: number; tax: number; gross: number; state: InvoiceState }

/** Totals of a list of documents, and their open amounts. */
export function computeInvoiceTotals(rows: readonly CountedDocument[], today: string): InvoiceTotals {
  const ageing: Ageing = { notDue: 0, upTo30: 0, upTo60: 0, over60: 0 }
  const { net, tax, gross } = sumDocuments(rows)
  const totals = { documents: rows.length, net, tax, gross, open: 0, overdue: 0, credit: 0 }
  for (const row of rows) {
    if (row.state === 'credit') totals.credit += row.open
    if (row.state !== 'due' && row.state !== 'overdue') continue
    totals.open += row.open
    if (row.state === 'overdue') totals.overdue += row.open
    ageing[getAgeingBucket(row.dueOn, today)] += row.open
  }
  return { ...totals, ageing }
}
