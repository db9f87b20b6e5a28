import type { Day } from '../calendar/days.ts'
import { type IssuedKind, signOf } from '../documents/document.ts'
import type { VatGroup } from '../documents/vat.ts'
import { byText } from '../numbers/order.ts'

export type ReportedDocument = {
  readonly seller: string
  readonly buyerKind: 'person' | 'organisation'
  readonly kind: IssuedKind
  readonly issued: Day
  /** A document of services (fees), not of goods (energy). */
  readonly services: boolean
  readonly vat: readonly VatGroup[]
}
export type ReportCode = 'TLB1' | 'TPS1' | 'TNT1'
export type ReportRow = {
  seller: string
  day: Day
  code: ReportCode
  rate: number
  base: number
  tax: number
  documents: number
}

const codeOf = ({ category }: VatGroup, services: boolean): ReportCode =>
  category !== 'S' ? 'TNT1' : services ? 'TPS1' : 'TLB1'
/** Sales to persons by seller, day of issue, category and rate; credit notes take away. */
export function reportRows(documents: readonly ReportedDocument[]): ReportRow[] {
  const rows = new Map<string, ReportRow>()
  for (const { seller, buyerKind, kind, issued: day, services, vat } of documents) {
    if (buyerKind !== 'person') continue
    const counted = new Set<string>()
    for (const group of vat) {
      const code = codeOf(group, services)
      const name = JSON.stringify([seller, day, code, group.rate])
      const row = rows.get(name) ?? { seller, day, code, rate: group.rate, base: 0, tax: 0, documents: 0 }
      row.base += signOf(kind) * group.base
      row.tax += signOf(kind) * group.tax
      if (!counted.has(name)) row.documents++
      counted.add(name)
      rows.set(name, row)
    }
  }
  return [...rows.values()].sort(
    (a, b) => byText(a.seller, b.seller) || byText(a.day, b.day) || byText(a.code, b.code) || a.rate - b.rate,
  )
}
