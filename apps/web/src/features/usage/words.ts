import type { Used } from '@voisol/contract/usage'
import { month, number } from '../../lib/format.ts'

type Month = Used['months'][number]
const SIZES = ['o', 'ko', 'Mo', 'Go', 'To']

/** Bytes as a person reads them. */
export function size(value: number): string {
  const step = value < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** step
  return `${number(scaled, step === 0 || scaled >= 100 ? 0 : 1)}\u00a0${SIZES[step]}`
}
export const megabytes = (value: number) => Math.round(value / 10_000) / 100

export const barOf = ({ month: day, value }: Month, scale: (value: number) => number) => ({
  label: month(day),
  short: day.slice(5, 7),
  values: [scale(value)],
})

/** The month in which there was most. */
export function peakOf(months: readonly Month[], none: string, words: (value: number) => string): string {
  const most = months.reduce((best, one) => (one.value > best.value ? one : best), months[0] ?? { month: '', value: 0 })
  return most.value === 0 ? none : `Au plus haut, ${words(most.value)} en ${month(most.month)}.`
}
