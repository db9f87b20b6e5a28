import type { Day, Period, Periodicity } from '../calendar/days.ts'
import { applyBasisPoints } from '../tariff/amounts.ts'
import type { IndexTerms } from '../tariff/pricing-rules.ts'

type VatCategoryCode = 'S' | 'E' | 'O'
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

export type Allowance = VatRate & {
  readonly id: string
  readonly amount: number
  /** The base: all energy of the document, less earlier allowances. */
  readonly base: number
  readonly left: number
  readonly percentBp: number | null
  readonly asked: number
}
type DiscountTerms = { readonly id: string; readonly percentBp?: number; readonly amount?: number }

/** On energy alone: each percentage on the full base, in order, and together never above it. */
export function computeAllowances(lines: readonly DocumentLine[], discounts: readonly DiscountTerms[]): Allowance[] {
  const energy = lines.filter(({ kind }) => kind === 'energy')
  const [first] = energy
  if (!first) return []
  const base = energy.reduce((sum, { net }) => sum + net, 0)
  const allowances: Allowance[] = []
  let left = base
  for (const { id, percentBp = null, amount: fixed = 0 } of discounts) {
    const asked = percentBp === null ? fixed : applyBasisPoints(base, percentBp)
    const amount = Math.min(asked, left)
    if (amount === 0) continue
    allowances.push({ id, amount, category: first.category, rate: first.rate, base, left, percentBp, asked })
    left -= amount
  }
  return allowances
}

export type VatGroup = VatRate & { readonly base: number; readonly tax: number }

const CATEGORY_ORDER: readonly VatCategoryCode[] = ['S', 'E', 'O']
export const getVatGroupKey = ({ category, rate }: VatRate): string => `${category} ${rate}`
export const compareVatGroups = (a: VatRate, b: VatRate): number =>
  CATEGORY_ORDER.indexOf(a.category) - CATEGORY_ORDER.indexOf(b.category) || b.rate - a.rate

/** One group for each category and rate; its base is the sum of its parts. */
export function computeVatBases(parts: readonly (VatRate & { amount: number })[]): (VatRate & { base: number })[] {
  return [...Map.groupBy(parts, getVatGroupKey).values()]
    .flatMap((group) => {
      const [first] = group
      const base = group.reduce((sum, { amount }) => sum + amount, 0)
      return first ? [{ category: first.category, rate: first.rate, base }] : []
    })
    .sort(compareVatGroups)
}

/** Tax on the sum of a group, never the sum of the taxes of its lines (BR-CO-17). */
export const computeVatGroups = (parts: readonly (VatRate & { amount: number })[]): VatGroup[] =>
  computeVatBases(parts).map((group) => ({ ...group, tax: applyBasisPoints(group.base, group.rate) }))

/**
 * The VAT of the seller's mode on the last day of the month; a fee may have its own rate where VAT is charged at all.
 */
export function getVatRate(mode: 'standard' | 'exempt' | 'outside' | 'elsewhere', rate: number): VatRate {
  if (mode === 'standard') return { category: 'S', rate }
  return { category: mode === 'outside' ? 'O' : 'E', rate: 0 }
}
