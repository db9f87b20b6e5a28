import { date, dateTime, number, percent, time } from '../../lib/format.ts'
import type { ChartData } from './types.ts'

const MISSING = 'donnée manquante'

export const quantity = (value: number | null | undefined, unit: string) =>
  value === null || value === undefined ? MISSING : `${number(value, Math.abs(value) < 10 ? 2 : 1)}\u00a0${unit}`

/** Everything under the cursor, each stacked part with its share of the stack. */
export function valuesAt({ series, unit }: ChartData, index: number) {
  const total = series.reduce((sum, one) => sum + (one.kind === 'stacked' ? (one.values[index] ?? 0) : 0), 0)
  return series.map((one) => {
    const value = one.values[index] ?? null
    const share = one.kind === 'stacked' && value !== null && total > 0 ? percent(value / total, 0) : undefined
    return { label: one.label, color: one.color, kind: one.kind, text: quantity(value, unit), share }
  })
}

/** The cursor in one sentence, for a screen reader. */
export const sentenceAt = (data: ChartData, index: number) => {
  const instant = data.times[index]
  if (instant === undefined) return 'Aucune donnée'
  const parts = valuesAt(data, index).map(
    ({ label, text, share }) => `${label}\u00a0: ${text}${share ? ` (${share})` : ''}`,
  )
  return `${dateTime(instant * 1000)}. ${parts.join(', ')}`
}

const dayMonth = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', day: 'numeric', month: 'short' })
const monthYear = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', month: 'short', year: '2-digit' })
const DAY = 86_400

/** Label of a tick, as coarse as the distance between ticks; midnight shows its day. */
export function tickLabel(seconds: number, step: number) {
  if (step >= 28 * DAY) return monthYear.format(seconds * 1000)
  const hour = time(seconds * 1000)
  return step >= DAY || hour === '00:00' ? dayMonth.format(seconds * 1000) : hour
}

export const spanText = (from: number, to: number) =>
  date(from * 1000) === date(to * 1000)
    ? `${date(from * 1000)}, ${time(from * 1000)} à ${time(to * 1000)}`
    : `${date(from * 1000)} au ${date(to * 1000)}`
