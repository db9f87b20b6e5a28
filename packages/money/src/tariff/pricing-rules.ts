import { type Day, isDayInPeriod, type ValidityPeriod } from '../calendar/days.ts'
import { multiplyRatios, parseRatio, type Ratio, roundRatio, toSafeInteger } from '../numbers/exact-numbers.ts'

/** A price in 1/10 000 € per kWh, and the sales it applies to; an absent criterion matches all. */
export type PricingRule = {
  readonly id: string
  readonly price: number
  readonly buyer?: string
  readonly group?: string
  readonly producer?: string
  readonly class?: string
  readonly index?: Indexation
}
export type TariffVersion = ValidityPeriod & { readonly rules: readonly PricingRule[] }
export type AcciseRate = ValidityPeriod & { readonly class: string; readonly centsPerMwh: number }

/** A sale, in the terms that a rule may name. */
export type Sale = { buyer: string; group: string | undefined; producer: string; class: string }

const SCORES = { buyer: 8, group: 4, producer: 2, class: 1 } as const
const NAMES = ['buyer', 'group', 'producer', 'class'] as const

export const getRuleScore = (rule: PricingRule): number =>
  NAMES.reduce((sum, name) => sum + (rule[name] === undefined ? 0 : SCORES[name]), 0)

const matchesSale = (rule: PricingRule, sale: Sale): boolean =>
  NAMES.every((name) => rule[name] === undefined || rule[name] === sale[name])

/**
 * The most specific rule that matches the sale. Two equally specific rules cannot occur: `findTiedRules` refuses them.
 */
export function findPricingRule(rules: readonly PricingRule[], sale: Sale): PricingRule | undefined {
  let best: PricingRule | undefined
  for (const rule of rules)
    if (matchesSale(rule, sale) && (!best || getRuleScore(rule) > getRuleScore(best))) best = rule
  return best
}

/** Rules of one version with the same criteria: none would have priority. */
export function findTiedRules(rules: readonly PricingRule[]): [PricingRule, PricingRule][] {
  return rules.flatMap((rule, at) =>
    rules
      .slice(at + 1)
      .filter((other) => NAMES.every((name) => rule[name] === other[name]))
      .map((other): [PricingRule, PricingRule] => [rule, other]),
  )
}

export const findVersionOn = <T extends ValidityPeriod>(versions: readonly T[], day: Day): T | undefined =>
  versions.find((version) => isDayInPeriod(version, day))

/**
 * The value of the index in force on that day: undefined where none was announced, null where it is not yet published.
 */
export function getIndexValueOn({ values }: Indexation, day: Day, acceptLast: boolean): string | null | undefined {
  const due = values.filter(({ from, value }) => from <= day && (value !== null || !acceptLast))
  return due.reduce<Indexation['values'][number] | undefined>(
    (last, value) => (last && last.from > value.from ? last : value),
    undefined,
  )?.value
}

const CLASSES = ['P', 'HPH', 'HCH', 'HPB', 'HCB']

/** No class first, then the classes of the distributor in their order, then others by name. */
export function getClassSortKey(name: string | undefined): string {
  if (name === undefined) return ''
  const at = CLASSES.indexOf(name)
  return at < 0 ? `9${name}` : `${at}`
}

/** Index values are decimal texts as published; null is announced for that day and not yet published. */
export type IndexValue = { readonly from: Day; readonly value: string | null }
type Indexation = {
  readonly base: string
  /** The fixed part of the price, in 1/100 %. */
  readonly fixedBp?: number
  readonly floor?: number
  readonly cap?: number
  readonly values: readonly IndexValue[]
}
export type IndexTerms = Omit<Indexation, 'values'>

const WHOLE = 10_000n

/** P0 × (a + (1 − a) × I / I0), exact. */
export function computeExactIndexedPrice(p0: number, index: string, { base, fixedBp = 0 }: IndexTerms): Ratio {
  const [value, start] = [parseRatio(index), parseRatio(base)]
  const [moved, kept] = [value.num * start.den, value.den * start.num]
  const fixed = BigInt(fixedBp)
  return multiplyRatios({ num: BigInt(p0), den: WHOLE }, { num: fixed * kept + (WHOLE - fixed) * moved, den: kept })
}

/** Always from P0, rounded once; then floor and cap. */
export function computeIndexedPrice(p0: number, index: string, terms: IndexTerms): number {
  const price = toSafeInteger(roundRatio(computeExactIndexedPrice(p0, index, terms)))
  return Math.min(Math.max(price, terms.floor ?? price), terms.cap ?? Number.POSITIVE_INFINITY)
}
