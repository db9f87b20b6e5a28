import { computeQuantile } from '../forecast/quantile.ts'
import type { InsightFinding } from './finding.ts'

export type ConsentEndFinding = InsightFinding<'consent-ends', { daysLeft: number }>
export type DataLossFinding = InsightFinding<
  'data-lost',
  { silentDays: number; usualDelay: number; deliveries: number }
>

const CONSENT_WARNING_DAYS = 60
const MIN_DELIVERIES = 20

/** `daysLeft` until a consent ends; negative once it has ended. */
export const detectConsentEnd = (daysLeft: number): ConsentEndFinding | null =>
  daysLeft > CONSENT_WARNING_DAYS
    ? null
    : {
        rule: 'consent-ends',
        statistic: daysLeft,
        threshold: CONSENT_WARNING_DAYS,
        confidence: 1,
        evidence: { daysLeft },
      }

/** Days since the last data, compared with the delays (in days) with which data of this point have come so far. */
export function detectDataLoss(silentDays: number, delays: ArrayLike<number>): DataLossFinding | null {
  if (delays.length < MIN_DELIVERIES) return null
  const usualDelay = computeQuantile(Float64Array.from(delays), 0.99)
  if (silentDays <= usualDelay) return null
  const confidence = Math.min(0.95, 0.5 + (silentDays - usualDelay) / 20)
  const evidence = { silentDays, usualDelay, deliveries: delays.length }
  return { rule: 'data-lost', statistic: silentDays, threshold: usualDelay, confidence, evidence }
}
