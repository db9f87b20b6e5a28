import type { Evidence, InsightRule } from '@voisol/contract/insights'

/** How a finding is valued: by which price, by its own amount, or not at all. */
type FindingValuation = 'plant' | 'local' | 'supplier' | 'gap' | 'own' | 'none'
/** The statistic and its threshold, the figures of the sentence, and the chart data. */
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
  /** Null when the rule has no energy. */
  wh: number | null
  confidence: number
  numbers: FindingNumbers
}

const roundTo = (value: number, digits = 0): number => {
  const factor = 10 ** digits
  return Math.round(value * factor) / factor
}
/** For charts: a gap stays null. */
export const roundOrNull = (value: number, digits = 3): number | null =>
  Number.isFinite(value) ? roundTo(value, digits) : null
