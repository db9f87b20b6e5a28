import type { Day } from '../calendar/days.ts'
import { type BillingDocument, getDocumentSign, type IssuedKind } from '../documents/document.ts'
import {
  compareVatGroups,
  computeVatBases,
  type DocumentLine,
  getVatGroupKey,
  type VatGroup,
} from '../documents/document-lines.ts'
import { compareText } from '../numbers/exact-numbers.ts'

type VatDocument = { readonly kind: IssuedKind; readonly vat: readonly VatGroup[] }

/** Σ of the groups of documents by category and rate: tax is never computed again from a sum. */
export function summarizeVat(documents: readonly VatDocument[]): VatGroup[] {
  const groups = documents.flatMap(({ kind, vat }) => vat.map((group) => ({ group, sign: getDocumentSign(kind) })))
  const taxes = Map.groupBy(groups, ({ group }) => getVatGroupKey(group))
  return computeVatBases(
    groups.map(({ group, sign }) => ({ category: group.category, rate: group.rate, amount: sign * group.base })),
  )
    .map((base) => ({
      ...base,
      tax: (taxes.get(getVatGroupKey(base)) ?? []).reduce((sum, { group, sign }) => sum + sign * group.tax, 0),
    }))
    .sort(compareVatGroups)
}

type AcciseSummaryRow = { acciseClass: string | null; centsPerMwh: number | null; wh: number; cents: number }

/** Energy by class of the consumer and rate; zero-rated energy has no class. */
export function summarizeAccise(
  documents: readonly { kind: IssuedKind; lines: BillingDocument['lines'] }[],
): AcciseSummaryRow[] {
  const rows = new Map<string, AcciseSummaryRow>()
  const add = (row: AcciseSummaryRow) => {
    const name = JSON.stringify([row.acciseClass, row.centsPerMwh])
    const known = rows.get(name)
    rows.set(name, known ? { ...known, wh: known.wh + row.wh, cents: known.cents + row.cents } : row)
  }
  for (const { kind, lines } of documents)
    for (const line of lines) {
      const row = toAcciseRow(line, getDocumentSign(kind))
      if (row) add(row)
    }
  return [...rows.values()]
}

function toAcciseRow(line: DocumentLine, sign: 1 | -1): AcciseSummaryRow | undefined {
  if (line.kind === 'accise')
    return { acciseClass: line.acciseClass, centsPerMwh: line.centsPerMwh, wh: sign * line.wh, cents: sign * line.net }
  if (line.kind === 'energy' && !line.liable)
    return { acciseClass: null, centsPerMwh: null, wh: sign * line.wh, cents: 0 }
  return undefined
}

export type EReportedDocument = {
  readonly seller: string
  readonly buyerKind: 'person' | 'organisation'
  readonly kind: IssuedKind
  readonly issued: Day
  /** A document of services (fees), not of goods (energy). */
  readonly services: boolean
  readonly vat: readonly VatGroup[]
}
type EReportingCode = 'TLB1' | 'TPS1' | 'TNT1'
type EReportingRow = {
  seller: string
  day: Day
  code: EReportingCode
  rate: number
  base: number
  tax: number
  documents: number
}

const getEReportingCode = ({ category }: VatGroup, services: boolean): EReportingCode =>
  category !== 'S' ? 'TNT1' : services ? 'TPS1' : 'TLB1'
/** Sales to private persons by seller, day of issue, category and rate; credit notes are subtracted. */
export function buildEReportingRows(documents: readonly EReportedDocument[]): EReportingRow[] {
  const rows = new Map<string, EReportingRow>()
  for (const { seller, buyerKind, kind, issued: day, services, vat } of documents) {
    if (buyerKind !== 'person') continue
    const counted = new Set<string>()
    for (const group of vat) {
      const code = getEReportingCode(group, services)
      const name = JSON.stringify([seller, day, code, group.rate])
      const row = rows.get(name) ?? { seller, day, code, rate: group.rate, base: 0, tax: 0, documents: 0 }
      row.base += getDocumentSign(kind) * group.base
      row.tax += getDocumentSign(kind) * group.tax
      if (!counted.has(name)) row.documents++
      counted.add(name)
      rows.set(name, row)
    }
  }
  return [...rows.values()].sort(
    (a, b) =>
      compareText(a.seller, b.seller) || compareText(a.day, b.day) || compareText(a.code, b.code) || a.rate - b.rate,
  )
}
