import type { Day, Period, Periodicity } from '../calendar/days.ts'
import type { IndexTerms } from '../tariff/index-price.ts'

export type VatCategoryCode = 'S' | 'E' | 'O'
export type VatRate = { readonly category: VatCategoryCode; readonly rate: number }

type LineBase = Period &
  VatRate & {
    readonly prm: string
    readonly member: string
    /** The id of the tariff rule, or of the fee. */
    readonly rule: string
    /** Energy that owes accise. */
    readonly liable: boolean
    readonly net: number
  }

/** How a unit price was obtained: as written, or from P0 and the index of the day. */
export type PriceTrace = {
  readonly tariffFrom: Day
  readonly p0: number
  readonly index: (IndexTerms & { readonly value: string }) | null
}

export type EnergyLine = LineBase & {
  readonly kind: 'energy'
  readonly wh: number
  readonly price: number
  readonly trace: PriceTrace
  /** The source of the quantity: the distributor, or our definitive or provisional run. */
  readonly source: 'distributor' | 'definitive' | 'provisional'
  /** The exact energy before rounding to whole units, in watt-minutes: '123456/7'. */
  readonly wattMinutes: string
  /** Units of `resolutionWh` from the largest-remainder apportionment. */
  readonly units: number
}
export type AcciseLine = LineBase & {
  readonly kind: 'accise'
  readonly wh: number
  readonly centsPerMwh: number
  readonly acciseClass: string
}
export type FeeLine = LineBase & {
  readonly kind: 'fee'
  readonly every: Periodicity
  /** Of a whole period, times the subscribed power where it is per kVA. */
  readonly amount: number
  readonly kva: number | null
  /** The days that count: those when both the membership and the fee are active. */
  readonly active: { readonly from: Day; readonly to: Day | null }
}
export type DocumentLine = EnergyLine | AcciseLine | FeeLine

/** Lines with the same key are versions of one line, so that a correction replaces it. */
export const getLineKey = ({ kind, member, from, to, rule, liable }: DocumentLine): string =>
  JSON.stringify([kind, member, from, to, rule, liable])

const getPrintedFigures = (line: DocumentLine) => [
  line.net,
  line.category,
  line.rate,
  line.kind === 'fee' ? null : line.wh,
  line.kind === 'energy' ? line.price : null,
  line.kind === 'accise' ? line.centsPerMwh : null,
]

/** Whether two lines with the same key print the same. */
export const arePrintedAlike = (a: DocumentLine, b: DocumentLine): boolean =>
  JSON.stringify(getPrintedFigures(a)) === JSON.stringify(getPrintedFigures(b))
