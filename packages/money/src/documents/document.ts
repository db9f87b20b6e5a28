import { type Allowance, computeVatGroups, type DocumentLine, type VatGroup } from './document-lines.ts'

type DocumentTotals = { lines: number; allowances: number; net: number; tax: number; gross: number }
/** An invoice, or a statement where nothing is owed: one seller, one buyer. */
export type BillingDocument = {
  readonly seller: string
  readonly buyer: string
  readonly document: 'invoice' | 'statement'
  /** A fee outside VAT may not share a document with another category, so it is on a separate one. */
  readonly apart: boolean
  readonly lines: readonly DocumentLine[]
  readonly allowances: readonly Allowance[]
  readonly vat: readonly VatGroup[]
  readonly totals: DocumentTotals
}
/** The kind of an issued document: a complementary invoice is booked and declared as an invoice. */
export type IssuedKind = 'invoice' | 'complement' | 'creditNote'
/** Credit notes are subtracted, the others added. */
export const getDocumentSign = (kind: IssuedKind): 1 | -1 => (kind === 'creditNote' ? -1 : 1)

type PartiesOfDocument = Pick<BillingDocument, 'seller' | 'buyer' | 'apart'>

export const sumFigures = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)

/** Signed parts of the bases: lines are added, allowances subtracted. */
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

/** Several months on one invoice: lines and allowances stay those of their month, tax is computed on the sum. */
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

/** Identifies a document of a month: seller, buyer, and whether it is a separate one. */
export const getDocumentKey = ({ seller, buyer, apart }: PartiesOfDocument): string =>
  JSON.stringify([seller, buyer, apart])
