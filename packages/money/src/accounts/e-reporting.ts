import type { Day } from '../calendar/days.ts'
import { getDocumentSign, type IssuedKind } from '../documents/document.ts'
import type { VatGroup } from '../documents/vat.ts'
import { compareText } from '../numbers/order.ts'

export type EReportedDocument = {
  readonly seller: string
  readonly buyerKind: 'person' | 'organisation'
  readonly kind: IssuedKind
  readonly issued: Day
  /** A document of services (fees), not of goods (energy). */
  readonly services: boolean
  readonly vat: readonly VatGroup[]
}
export type EReportingCode = 'TLB1' | 'TPS1' | 'TNT1'
export type EReportingRow = {
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
