import { energy, percent } from '../../lib/format.ts'
import type { Pattern } from '../chart/types.ts'

export type Part = { label: string; value: number; color: string; pattern?: Pattern }

/** The looks of energy, the same everywhere. */
export const localPart = (value: number, label = 'Énergie locale'): Part => ({
  label,
  value,
  color: 'var(--data-local)',
})
export const gridPart = (value: number, label = 'Réseau'): Part => ({
  label,
  value,
  color: 'var(--data-grid)',
  pattern: 'hatched',
})
export const surplusPart = (value: number, label = 'Surplus'): Part => ({
  label,
  value,
  color: 'var(--data-surplus)',
  pattern: 'dotted',
})

/** Each part with its share of the whole; nothing has no shares. */
export function sharesOf(parts: Part[]) {
  const whole = parts.reduce((sum, part) => sum + Math.max(0, part.value), 0)
  return parts.map((part) => ({ ...part, share: whole > 0 ? Math.max(0, part.value) / whole : null }))
}

/** « Énergie locale : 12,0 kWh (40 %), Réseau : 18,0 kWh (60 %) ». */
export const partsText = (parts: Part[], format: (value: number) => string = energy) =>
  sharesOf(parts)
    .map(
      ({ label, value, share }) => `${label}\u00a0: ${format(value)}${share === null ? '' : ` (${percent(share, 0)})`}`,
    )
    .join(', ')
