import type { Day } from '../calendar/days.ts'
import { type Ratio, readRatio, times } from '../numbers/ratio.ts'
import { round, toInteger } from '../numbers/round.ts'

/** Figures of the index are decimal texts as published; a value of null is announced for that day and not yet published. */
export type IndexValue = { readonly from: Day; readonly value: string | null }
export type Indexation = {
  readonly base: string
  /** The part that does not move, in 1/100 %. */
  readonly fixedBp?: number
  readonly floor?: number
  readonly cap?: number
  readonly values: readonly IndexValue[]
}
export type IndexTerms = Omit<Indexation, 'values'>

const WHOLE = 10_000n

/** P0 × (a + (1 − a) × I / I0), exact. */
export function exactIndexed(p0: number, index: string, { base, fixedBp = 0 }: IndexTerms): Ratio {
  const [value, start] = [readRatio(index), readRatio(base)]
  const [moved, kept] = [value.num * start.den, value.den * start.num]
  const fixed = BigInt(fixedBp)
  return times({ num: BigInt(p0), den: WHOLE }, { num: fixed * kept + (WHOLE - fixed) * moved, den: kept })
}

/** Always from P0, rounded once; then floor and cap. */
export function indexedPrice(p0: number, index: string, terms: IndexTerms): number {
  const price = toInteger(round(exactIndexed(p0, index, terms)))
  return Math.min(Math.max(price, terms.floor ?? price), terms.cap ?? Number.POSITIVE_INFINITY)
}
