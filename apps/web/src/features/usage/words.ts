import type { Used } from '@voisol/contract/usage'
import { formatMonth, formatNumber } from '../../lib/format.ts'

type UsageMonth = Used['months'][number]
const SIZE_UNITS = ['o', 'ko', 'Mo', 'Go', 'To']

/** Bytes as a person reads them. */
export function formatStorageSize(value: number): string {
  const step = value < 1 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** step
  return `${formatNumber(scaled, step === 0 || scaled >= 100 ? 0 : 1)}\u00a0${SIZE_UNITS[step]}`
}
export const toMegabytes = (value: number) => Math.round(value / 10_000) / 100

export const toBar = ({ month: day, value }: UsageMonth, scale: (value: number) => number) => ({
  label: formatMonth(day),
  short: day.slice(5, 7),
  values: [scale(value)],
})

/** The month in which there was most. */
export function describePeak(months: readonly UsageMonth[], none: string, format: (value: number) => string): string {
  const highest = months.reduce(
    (best, one) => (one.value > best.value ? one : best),
    months[0] ?? { month: '', value: 0 },
  )
  return highest.value === 0 ? none : `Au plus haut, ${format(highest.value)} en ${formatMonth(highest.month)}.`
}
