import { getDocumentSign, type IssuedKind } from '../documents/document.ts'
import { applyBasisPoints, computeEnergyCents } from '../tariff/amounts.ts'

type StatementDocument = {
  readonly kind: IssuedKind
  readonly wh: number
  readonly net: number
  readonly tax: number
  readonly gross: number
}
type StatementFeePart =
  | { readonly kind: 'perKwh'; readonly price: number }
  | { readonly kind: 'percentNet'; readonly bp: number }
  | { readonly kind: 'fixed'; readonly amount: number }
export type ProducerStatementInput = {
  readonly documents: readonly StatementDocument[]
  readonly fee: { readonly rate: number; readonly parts: readonly StatementFeePart[] }
  /** What was collected for the producer; null where the manager does not collect. */
  readonly collected: number | null
  readonly brought: number
}

type Sales = { wh: number; net: number; tax: number; gross: number }

function sumSales(documents: readonly StatementDocument[]): Sales {
  const sales: Sales = { wh: 0, net: 0, tax: 0, gross: 0 }
  for (const document of documents)
    for (const name of ['wh', 'net', 'tax', 'gross'] as const)
      sales[name] += getDocumentSign(document.kind) * document[name]
  return sales
}

function computeFee(part: StatementFeePart, { wh, net }: Sales): number {
  if (part.kind === 'perKwh') return computeEnergyCents(wh, part.price)
  return part.kind === 'percentNet' ? applyBasisPoints(net, part.bp) : part.amount
}

/** The statement of a producer for a month of issue: sales, the manager's fees, and the payout. */
export function computeProducerStatement({
  documents,
  fee: { rate, parts },
  collected,
  brought,
}: ProducerStatementInput) {
  const sales = sumSales(documents)
  const feeParts = parts.map((part) => computeFee(part, sales))
  const net = feeParts.reduce((sum, part) => sum + part, 0)
  const tax = applyBasisPoints(net, rate)
  const fee = { net, tax, gross: net + tax }
  const payable = collected === null ? null : collected + brought - fee.gross
  return {
    sales,
    feeParts,
    fee,
    result: sales.gross - fee.gross,
    payable,
    /** A negative amount is not paid but carried forward. */
    payout: Math.max(payable ?? 0, 0),
    carried: Math.min(payable ?? 0, 0),
  }
}
