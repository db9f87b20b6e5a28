import type { GatewayPeriod } from '@voisol/contract/gateway'
import { date, month, number, time } from '../../lib/format.ts'

export const PERIODS: { value: GatewayPeriod; label: string }[] = [
  { value: 'hour', label: 'Dernière heure' },
  { value: 'day', label: '24 heures' },
  { value: 'month', label: '30 jours' },
  { value: 'year', label: '12 mois' },
]

/** What a bar stands for, in the unit of its period. */
export const partOf = (period: GatewayPeriod, at: string) =>
  period === 'year' ? month(at) : period === 'month' ? date(at).slice(0, 5) : time(at)

/** Where there is no room for it: the hour of a day, the minute of an hour, the day of a month; a month has its letter. */
export const shortPartOf = (period: GatewayPeriod, at: string) => {
  if (period === 'year') return month(at).slice(0, 1).toUpperCase()
  return period === 'hour' ? time(at).slice(-2) : partOf(period, at).slice(0, 2)
}

const SIZES = ['o', 'ko', 'Mo', 'Go', 'To']
export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log(size) / Math.log(1000)))
  return `${number(size / 1000 ** step, step === 0 || size / 1000 ** step >= 100 ? 0 : 1)}\u00a0${SIZES[step]}`
}

export const duration = (ms: number | null) =>
  ms === null ? '—' : ms >= 1000 ? `${number(ms / 1000, 1)}\u00a0s` : `${number(ms, ms < 10 ? 1 : 0)}\u00a0ms`
