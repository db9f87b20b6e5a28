import type { HealthLevel, HealthMeasure } from '@voisol/contract/health'
import { number, percent, plural } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const LEVELS: Record<HealthLevel, { label: string; tone: Tone }> = {
  ok: { label: 'Bien', tone: 'success' },
  warning: { label: 'À regarder', tone: 'warning' },
  critical: { label: 'À régler', tone: 'danger' },
}

const UNITS: Record<HealthMeasure['unit'], (value: number) => string> = {
  bytes: (value) => (value < 1e9 ? `${number(value / 1e6, 0)}\u00a0Mo` : `${number(value / 1e9, 1)}\u00a0Go`),
  share: (value) => percent(value, 0),
  count: (value) => number(value, 0),
  ms: (value) => `${number(value, 0)}\u00a0ms`,
  hours: (value) => (value < 48 ? `${number(value, 0)}\u00a0h` : plural(Math.round(value / 24), 'jour')),
  days: (value) => plural(Math.round(value), 'jour'),
}
export const shownValue = ({ unit, value }: Pick<HealthMeasure, 'unit' | 'value'>) =>
  value === null ? '—' : UNITS[unit](value)
export const limitWords = ({ unit, warning }: HealthMeasure) =>
  warning === null ? 'sans seuil' : `seuil ${UNITS[unit](warning)}`
