import { getDocumentSign, type IssuedKind } from '../documents/document.ts'
import type { DocumentLine } from '../documents/lines.ts'
import type { VatGroup } from '../documents/vat.ts'

/** The fields of an issued document that the books use. */
export type BookedDocument = {
  readonly kind: IssuedKind
  readonly lines: readonly Pick<DocumentLine, 'kind' | 'net'>[]
  readonly allowances: readonly { readonly amount: number }[]
  readonly vat: readonly VatGroup[]
  readonly totals: { readonly gross: number }
}
export type SalesAccounts = { customer: string; energy: string; fees: string; accise: string; vat: string }
export const DEFAULT_SALES_ACCOUNTS: SalesAccounts = {
  customer: '411000',
  energy: '701000',
  fees: '706000',
  accise: '447000',
  vat: '44571',
}

export type FecRow = { account: string; aux: string; debit: number; credit: number }

/** A negative amount is booked on the opposite side. */
const toSignedRow = (account: string, aux: string, debit: number): FecRow => ({
  account,
  aux,
  debit: Math.max(debit, 0),
  credit: Math.max(0 - debit, 0),
})

/** The entry of a document in its seller's books: customer against sales, accise and tax by rate; balanced. */
export function buildSalesRows(
  document: BookedDocument,
  aux: string,
  accounts: SalesAccounts = DEFAULT_SALES_ACCOUNTS,
): FecRow[] {
  const sign = getDocumentSign(document.kind)
  const netOf = (kind: DocumentLine['kind']) =>
    document.lines.filter((line) => line.kind === kind).reduce((sum, { net }) => sum + net, 0)
  const allowed = document.allowances.reduce((sum, { amount }) => sum + amount, 0)
  const rate = (group: VatGroup) => `${accounts.vat}${String(group.rate).padStart(4, '0')}`
  return [
    toSignedRow(accounts.customer, aux, sign * document.totals.gross),
    toSignedRow(accounts.energy, '', -sign * (netOf('energy') - allowed)),
    toSignedRow(accounts.fees, '', -sign * netOf('fee')),
    toSignedRow(accounts.accise, '', -sign * netOf('accise')),
    ...document.vat.map((group) => toSignedRow(rate(group), '', -sign * group.tax)),
  ].filter(({ debit, credit }) => debit !== 0 || credit !== 0)
}

export const isBalanced = (rows: readonly FecRow[]): boolean =>
  rows.reduce((sum, { debit, credit }) => sum + debit - credit, 0) === 0
