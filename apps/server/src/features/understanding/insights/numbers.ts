import type { Evidence, InsightRule } from '@voisol/contract/insights'

/** What a finding is worth by: which price its watt-hours are multiplied with, or euros of its own. */
export type FindingValuation = 'plant' | 'local' | 'supplier' | 'gap' | 'own' | 'none'
/** The statistic beside its threshold, the figures of the sentence, and what is drawn. */
export type FindingNumbers = {
  statistic: number
  threshold: number
  worth: FindingValuation
  facts: Record<string, number | string>
  evidence: Evidence
}
export type RuleFinding = {
  rule: InsightRule
  subjectKind: 'point' | 'participant' | 'operation'
  subjectId: string
  startsOn: string
  endsOn: string
  /** Null where the rule counts none. */
  wh: number | null
  confidence: number
  numbers: FindingNumbers
}

export const roundTo = (value: number, digits = 0): number => {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}
/** For what is drawn: a hole stays one. */
export const roundOrNull = (value: number, digits = 3): number | null =>
  Number.isFinite(value) ? roundTo(value, digits) : null
