import { type Ratio, toRatio } from '../numbers/ratio.ts'
import { roundRatio, toSafeInteger } from '../numbers/round.ts'

/** Days at a yearly rate in 1/100 %. */
export type InterestSpan = { readonly days: number; readonly rateBp: number }

const YEAR = 365n * 10_000n

export const computeExactInterest = (amount: number, spans: readonly InterestSpan[]): Ratio =>
  toRatio(BigInt(amount) * spans.reduce((sum, { days, rateBp }) => sum + BigInt(days) * BigInt(rateBp), 0n), YEAR)

/** Rounded once over all periods. */
export const computeInterestCents = (amount: number, spans: readonly InterestSpan[]): number =>
  toSafeInteger(roundRatio(computeExactInterest(amount, spans)))
