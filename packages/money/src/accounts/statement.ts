import { type IssuedKind, signOf } from '../documents/document.ts'
import { energyCents, percentOf } from '../tariff/amounts.ts'

export type StatedDocument = {
  readonly kind: IssuedKind
  readonly wh: number
  readonly net: number
  readonly tax: number
  readonly gross: number
}
export type FeePart =
  | { readonly kind: 'perKwh'; readonly price: number }
  | { readonly kind: 'percentNet'; readonly bp: number }
  | { readonly kind: 'fixed'; readonly amount: number }
export type StatementInput = {
  readonly documents: readonly StatedDocument[]
  readonly fee: { readonly rate: number; readonly parts: readonly FeePart[] }
  /** What was collected for the producer; null where the manager does not collect. */
  readonly collected: number | null
  readonly brought: number
}

type Sales = { wh: number; net: number; tax: number; gross: number }

function salesOf(documents: readonly StatedDocument[]): Sales {
  const sales: Sales = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const document of documents)
    for (const name of ['wh', 'net', 'tax', 'gross'] as const) sales[name] += signOf(document.kind) * document[name]
  return sales
}

function feeOf(part: FeePart, { wh, net }: Sales): number {
  if (part.kind === 'perKwh') return energyCents(wh, part.price)
  return part.kind === 'percentNet' ? percentOf(net, part.bp) : part.amount
}

/** A producer's month of issue: sales, the manager's fees, and what is to be paid to the producer. */
export function statementOf({ documents, fee: { rate, parts }, collected, brought }: StatementInput) {
  const sales = salesOf(documents)
  const feeParts = parts.map((part) => feeOf(part, sales))
  const net = feeParts.reduce((sum, part) => sum + part, 0)
  const tax = percentOf(net, rate)
  const fee = { net, tax, gross: net + tax }
  const payable = collected === null ? null : collected + brought - fee.gross
  return {
    sales,
    feeParts,
    fee,
    result: sales.gross - fee.gross,
    payable,
    /** Paid now; what is below zero is brought forward. */
    payout: Math.max(payable ?? 0, 0),
    carried: Math.min(payable ?? 0, 0),
  }
}
