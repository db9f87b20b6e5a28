import type { Day, Every, Period } from '../calendar/days.ts'
import type { IndexTerms } from '../tariff/index-price.ts'

export type Category = 'S' | 'E' | 'O'
export type Vat = { readonly category: Category; readonly rate: number }

type Base = Period &
  Vat & {
    readonly prm: string
    readonly member: string
    /** The rule of the tariff, or the fee. */
    readonly rule: string
    /** Energy that owes accise. */
    readonly liable: boolean
    readonly net: number
  }

/** How a unit price came about: as written, or from P0 and the index of the day. */
export type PriceTrace = {
  readonly tariffFrom: Day
  readonly p0: number
  readonly index: (IndexTerms & { readonly value: string }) | null
}

export type EnergyLine = Base & {
  readonly kind: 'energy'
  readonly wh: number
  readonly price: number
  readonly trace: PriceTrace
  /** Whose figures: the distributor's, or our definitive or provisional run. */
  readonly source: 'distributor' | 'definitive' | 'provisional'
  /** The exact energy before it became whole units, in watt-minutes: '123456/7'. */
  readonly wattMinutes: string
  /** Units of `resolutionWh` that apportionment gave. */
  readonly units: number
}
export type AcciseLine = Base & {
  readonly kind: 'accise'
  readonly wh: number
  readonly centsPerMwh: number
  readonly acciseClass: string
}
export type FeeLine = Base & {
  readonly kind: 'fee'
  readonly every: Every
  /** Of a whole period, times the subscribed power where it is per kVA. */
  readonly amount: number
  readonly kva: number | null
  /** The days that count: of the member and of the fee together. */
  readonly active: { readonly from: Day; readonly to: Day | null }
}
export type Line = EnergyLine | AcciseLine | FeeLine

/** What makes two lines of a buyer and a seller the same line, corrected. */
export const lineName = ({ kind, member, from, to, rule, liable }: Line): string =>
  JSON.stringify([kind, member, from, to, rule, liable])

const figures = (line: Line) => [
  line.net,
  line.category,
  line.rate,
  line.kind === 'fee' ? null : line.wh,
  line.kind === 'energy' ? line.price : null,
  line.kind === 'accise' ? line.centsPerMwh : null,
]

/** Whether two lines of one name print the same. */
export const samePrint = (a: Line, b: Line): boolean => JSON.stringify(figures(a)) === JSON.stringify(figures(b))
