import type { Allowance } from './allowances.ts'
import type { Line } from './lines.ts'
import { type VatGroup, vatGroups } from './vat.ts'

export type Totals = { lines: number; allowances: number; net: number; tax: number; gross: number }
/** An invoice, or a statement where nothing is owed: one seller, one buyer. */
export type Document = {
  readonly seller: string
  readonly buyer: string
  readonly document: 'invoice' | 'statement'
  /** A fee outside VAT that may not stand beside another category, on a document of its own. */
  readonly apart: boolean
  readonly lines: readonly Line[]
  readonly allowances: readonly Allowance[]
  readonly vat: readonly VatGroup[]
  readonly totals: Totals
}
/** What a document is once it is issued: a complementary invoice is booked and declared as an invoice is. */
export type IssuedKind = 'invoice' | 'complement' | 'creditNote'
/** A credit note takes away what the others add. */
export const signOf = (kind: IssuedKind): 1 | -1 => (kind === 'creditNote' ? -1 : 1)

type Parties = Pick<Document, 'seller' | 'buyer' | 'apart'>

export const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0)

/** Signed parts of the bases: lines add, allowances take away. */
const partsOf = (lines: readonly Line[], allowances: readonly Allowance[]) => [
  ...lines.map(({ category, rate, net }) => ({ category, rate, amount: net })),
  ...allowances.map(({ category, rate, amount }) => ({ category, rate, amount: -amount })),
]

export function makeDocument(parties: Parties, lines: readonly Line[], allowances: readonly Allowance[]): Document {
  const vat = vatGroups(partsOf(lines, allowances))
  const net = sum(vat.map(({ base }) => base))
  const tax = sum(vat.map((group) => group.tax))
  const totals = {
    lines: sum(lines.map((line) => line.net)),
    allowances: sum(allowances.map(({ amount }) => amount)),
    net,
    tax,
    gross: net + tax,
  }
  const document = lines.every((line) => line.net === 0) ? 'statement' : 'invoice'
  return { ...parties, document, lines, allowances, vat, totals }
}

/** Several months on one invoice: lines and allowances stay those of their month, the tax is that of the sum. */
export function joinDocuments(months: readonly Document[]): Document | undefined {
  const [first] = months
  if (!first) return undefined
  const { seller, buyer, apart } = first
  if (months.some((other) => documentName(other) !== documentName(first)))
    throw new RangeError('an invoice has one seller and one buyer')
  return makeDocument(
    { seller, buyer, apart },
    months.flatMap(({ lines }) => lines),
    months.flatMap(({ allowances }) => allowances),
  )
}

/** What is one invoice of a month: its seller, its buyer, and whether it stands apart. */
export const documentName = ({ seller, buyer, apart }: Parties): string => JSON.stringify([seller, buyer, apart])
