/**
 * What a rule found: the statistic with its threshold, and the numbers it is based on. Prices and wording are added by
 * the caller.
 */
export type InsightFinding<Rule extends string, Evidence> = {
  rule: Rule
  statistic: number
  threshold: number
  /** 0 to 1. */
  confidence: number
  evidence: Evidence
}

/** A rule needs at least nine tenths of the steps to be known. */
const MIN_KNOWN_SHARE = 0.9

export function isMostlyKnown(values: ArrayLike<number>): boolean {
  let known = 0
  for (let at = 0; at < values.length; at++) if ((values[at] ?? Number.NaN) >= 0) known++
  return values.length > 0 && known >= MIN_KNOWN_SHARE * values.length
}

export const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))
