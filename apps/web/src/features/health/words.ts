import type { HealthLevel, HealthMeasure } from '@voisol/contract/health'
import { formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const HEALTH_LEVEL_LABELS: Record<HealthLevel, { label: string; tone: Tone }> = {
  ok: { label: 'Bien', tone: 'success' },
  warning: { label: 'À regarder', tone: 'warning' },
  critical: { label: 'À régler', tone: 'danger' },
}

const UNIT_FORMATTERS: Record<HealthMeasure['unit'], (value: number) => string> = {
  bytes: (value) =>
    value < 1e9 ? `${formatNumber(value / 1e6, 0)}\u00a0Mo` : `${formatNumber(value / 1e9, 1)}\u00a0Go`,
  share: (value) => formatPercent(value, 0),
  count: (value) => formatNumber(value, 0),
  ms: (value) => `${formatNumber(value, 0)}\u00a0ms`,
  hours: (value) => (value < 48 ? `${formatNumber(value, 0)}\u00a0h` : formatCount(Math.round(value / 24), 'jour')),
  days: (value) => formatCount(Math.round(value), 'jour'),
}
export const formatMeasureValue = ({ unit, value }: Pick<HealthMeasure, 'unit' | 'value'>) =>
  value === null ? '—' : UNIT_FORMATTERS[unit](value)
export const formatThreshold = ({ unit, warning }: HealthMeasure) =>
  warning === null ? 'sans seuil' : `seuil ${UNIT_FORMATTERS[unit](warning)}`
