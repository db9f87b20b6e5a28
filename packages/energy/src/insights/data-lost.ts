import { quantile } from '../forecast/quantile.ts'
import type { Finding } from './finding.ts'

export type ConsentEnds = Finding<'consent-ends', { daysLeft: number }>
export type DataLost = Finding<'data-lost', { silentDays: number; usualDelay: number; deliveries: number }>

const SOON = 60
const ENOUGH = 20

/** `daysLeft` until an agreement ends; below zero it has ended. */
export const consentEnds = (daysLeft: number): ConsentEnds | null =>
  daysLeft > SOON
    ? null
    : { rule: 'consent-ends', statistic: daysLeft, threshold: SOON, confidence: 1, evidence: { daysLeft } }

/** Days since the last data, beside the delays (in days) with which this point's data have come so far. */
export function dataLost(silentDays: number, delays: ArrayLike<number>): DataLost | null {
  if (delays.length < ENOUGH) return null
  const usualDelay = quantile(Float64Array.from(delays), 0.99)
  if (silentDays <= usualDelay) return null
  const confidence = Math.min(0.95, 0.5 + (silentDays - usualDelay) / 20)
  const evidence = { silentDays, usualDelay, deliveries: delays.length }
  return { rule: 'data-lost', statistic: silentDays, threshold: usualDelay, confidence, evidence }
}
