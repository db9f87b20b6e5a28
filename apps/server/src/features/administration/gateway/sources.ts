import type { GatewayPeriod } from '@voisol/contract/gateway'
import { type SQL, sql } from 'drizzle-orm'

const PREVIOUS_HOUR = sql`date_trunc('hour', now() - interval '1 hour')`
const PREVIOUS_DAY = sql`date_trunc('day', now() - interval '1 day', 'Europe/Paris')`

/** Start, chart unit and number of units of each period. */
const PERIODS: Record<GatewayPeriod, { from: SQL; unit: string; parts: number }> = {
  hour: { from: sql`date_trunc('minute', now() - interval '59 minutes')`, unit: 'minute', parts: 60 },
  day: { from: sql`date_trunc('hour', now() - interval '23 hours')`, unit: 'hour', parts: 24 },
  month: { from: sql`date_trunc('day', now() - interval '29 days', 'Europe/Paris')`, unit: 'day', parts: 30 },
  year: { from: sql`date_trunc('month', now() - interval '11 months', 'Europe/Paris')`, unit: 'month', parts: 12 },
}
export const getGatewayPeriod = (period: GatewayPeriod) => PERIODS[period]

/** Combines coarse totals of older times with finer ones for what they do not cover yet; no call is counted twice. */
export function whereCallsOfPeriod(period: GatewayPeriod): SQL {
  const { from } = PERIODS[period]
  const recentMinutes = sql`(step = 'minute' and at >= ${PREVIOUS_HOUR})`
  if (period === 'hour' || period === 'day') return sql`step = 'minute' and at >= ${from}`
  if (period === 'month') return sql`((step = 'hour' and at >= ${from} and at < ${PREVIOUS_HOUR}) or ${recentMinutes})`
  const days = sql`(step = 'day' and at >= ${from} and at < ${PREVIOUS_DAY})`
  return sql`(${days} or (step = 'hour' and at >= ${PREVIOUS_DAY} and at < ${PREVIOUS_HOUR}) or ${recentMinutes})`
}
