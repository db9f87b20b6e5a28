import type { GatewayPeriod } from '@voisol/contract/gateway'
import { formatDate, formatMonth, formatNumber, formatTime } from '../../../lib/format.ts'

/** What a bar stands for, in the unit of its period. */
export const formatBarLabel = (period: GatewayPeriod, at: string) =>
  period === 'year' ? formatMonth(at) : period === 'month' ? formatDate(at).slice(0, 5) : formatTime(at)

/** Where there is no room for it: the hour of a day, the minute of an hour, the day of a month; a month has its letter. */
export const formatShortBarLabel = (period: GatewayPeriod, at: string) => {
  if (period === 'year') return formatMonth(at).slice(0, 1).toUpperCase()
  return period === 'hour' ? formatTime(at).slice(-2) : formatBarLabel(period, at).slice(0, 2)
}

const SIZE_UNITS = ['o', 'ko', 'Mo', 'Go', 'To']
export function formatBytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log(size) / Math.log(1000)))
  return `${formatNumber(size / 1000 ** step, step === 0 || size / 1000 ** step >= 100 ? 0 : 1)}\u00a0${SIZE_UNITS[step]}`
}

export const formatMilliseconds = (ms: number | null) =>
  ms === null
    ? '—'
    : ms >= 1000
      ? `${formatNumber(ms / 1000, 1)}\u00a0s`
      : `${formatNumber(ms, ms < 10 ? 1 : 0)}\u00a0ms`
