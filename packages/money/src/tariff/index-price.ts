import type { Day } from '../calendar/days.ts'
import { multiplyRatios, parseRatio, type Ratio } from '../numbers/ratio.ts'
import { roundRatio, toSafeInteger } from '../numbers/round.ts'

/** Index values are decimal texts as published; null is announced for that day and not yet published. */
export type IndexValue = { readonly from: Day; readonly value: string | null }
export type Indexation = {
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
