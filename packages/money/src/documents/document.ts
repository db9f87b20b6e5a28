import type { Allowance } from './allowances.ts'
import type { DocumentLine } from './lines.ts'
import { computeVatGroups, type VatGroup } from './vat.ts'

export type DocumentTotals = { lines: number; allowances: number; net: number; tax: number; gross: number }
/** An invoice, or a statement where nothing is owed: one seller, one buyer. */
export type BillingDocument = {
  readonly seller: string
  readonly buyer: string
  readonly document: 'invoice' | 'statement'
  /** A fee outside VAT that may not stand beside another category, on a document of its own. */
  readonly apart: boolean
  readonly lines: readonly DocumentLine[]
  readonly allowances: readonly Allowance[]
  readonly vat: readonly VatGroup[]
  readonly totals: DocumentTotals
}
/** What a document is once it is issued: a complementary invoice is booked and declared as an invoice is. */
export type IssuedKind = 'invoice' | 'complement' | 'creditNote'
/** A credit note takes away what the others add. */
export const getDocumentSign = (kind: IssuedKind): 1 | -1 => (kind === 'creditNote' ? -1 : 1)

type PartiesOfDocument = Pick<BillingDocument, 'seller' | 'buyer' | 'apart'>

export const sumFigures = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)

/** Signed parts of the bases: lines add, allowances take away. */
const toVatParts = (lines: readonly DocumentLine[], allowances: readonly Allowance[]) => [
  ...lines.map(({ category, rate, net }) => ({ category, rate, amount: net })),
  ...allowances.map(({ category, rate, amount }) => ({ category, rate, amount: -amount })),
]

export function buildDocument(
  parties: PartiesOfDocument,
  lines: readonly DocumentLine[],
  allowances: readonly Allowance[],
): BillingDocument {
  const vat = computeVatGroups(toVatParts(lines, allowances))
  const net = sumFigures(vat.map(({ base }) => base))
  const tax = sumFigures(vat.map((group) => group.tax))
  const totals = {
    lines: sumFigures(lines.map((line) => line.net)),
    allowances: sumFigures(allowances.map(({ amount }) => amount)),
    net,
    tax,
    gross: net + tax,
  }
  const document = lines.every((line) => line.net === 0) ? 'statement' : 'invoice'
  return { ...parties, document, lines, allowances, vat, totals }
}

/** Several months on one invoice: lines and allowances stay those of their month, the tax is that of the sum. */
export function joinDocuments(months: readonly BillingDocument[]): BillingDocument | undefined {
  const [first] = months
  if (!first) return undefined
  const { seller, buyer, apart } = first
  if (months.some((other) => getDocumentKey(other) !== getDocumentKey(first)))
    throw new RangeError('an invoice has one seller and one buyer')
  return buildDocument(
    { seller, buyer, apart },
    months.flatMap(({ lines }) => lines),
    months.flatMap(({ allowances }) => allowances),
  )
}

/** What is one invoice of a month: its seller, its buyer, and whether it stands apart. */
export const getDocumentKey = ({ seller, buyer, apart }: PartiesOfDocument): string =>
  JSON.stringify([seller, buyer, apart])
