import { type Ratio, ratio } from '../numbers/ratio.ts'
import { round, toInteger } from '../numbers/round.ts'

/** Days at a yearly rate in 1/100 %. */
export type RateSpan = { readonly days: number; readonly rateBp: number }

const YEAR = 365n * 10_000n

export const exactInterest = (amount: number, spans: readonly RateSpan[]): Ratio =>
  ratio(BigInt(amount) * spans.reduce((sum, { days, rateBp }) => sum + BigInt(days) * BigInt(rateBp), 0n), YEAR)

/** One rounding over all spans. */
export const interestCents = (amount: number, spans: readonly RateSpan[]): number =>
  toInteger(round(exactInterest(amount, spans)))
