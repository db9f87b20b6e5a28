import { createEnergyFormatter, formatPercent } from '../../lib/format.ts'
import type { FillPattern } from '../chart/series.ts'

export type SharePart = { label: string; value: number; color: string; pattern?: FillPattern }

/** The looks of energy, the same everywhere. Hatching is for what is not known: the grid's share is plain. */
export const toLocalPart = (value: number, label = 'Énergie locale'): SharePart => ({
  label,
  value,
  color: 'var(--data-local)',
})
export const toGridPart = (value: number, label = 'Réseau'): SharePart => ({
  label,
  value,
  color: 'var(--data-grid)',
})
export const toSurplusPart = (value: number, label = 'Surplus'): SharePart => ({
  label,
  value,
  color: 'var(--data-surplus)',
  pattern: 'dotted',
})

/** To a battery, or from one. */
export const toStoragePart = (value: number, label: string): SharePart => ({
  label,
  value,
  color: 'var(--data-storage)',
  pattern: 'barred',
})

/** Counted, and in no run yet. */
const toPendingPart = (value: number, label = 'Pas encore réparti'): SharePart => ({
  label,
  value,
  color: 'var(--data-pending)',
  pattern: 'open',
})

/** What passed through batteries; it is a part of these where every flow has both its ends among them. */
type Storage = { storage?: { stored: number; restored: number; whole: boolean } }
type Production = Storage & { shared: number; surplus: number; pendingProduced: number }
type Consumption = Storage & { allocated: number; complement: number; pendingConsumed: number }
const addPendingPart = (parts: SharePart[], pending: number) =>
  pending > 0 ? [...parts, toPendingPart(pending)] : parts

/** What became of a production, and what a consumption is made of: the parts always make the whole. */
export function buildProductionParts({ shared, surplus, pendingProduced, storage }: Production) {
  const local = storage?.whole
    ? [toLocalPart(shared - storage.stored, 'Partagé en direct'), toStoragePart(storage.stored, 'Stocké')]
    : [toLocalPart(shared, 'Partagé')]
  return addPendingPart([...local, toSurplusPart(surplus)], pendingProduced)
}
export function buildConsumptionParts({ allocated, complement, pendingConsumed, storage }: Consumption) {
  const local = storage?.whole
    ? [
        toLocalPart(allocated - storage.restored, 'Locale en direct'),
        toStoragePart(storage.restored, 'Depuis la batterie'),
      ]
    : [toLocalPart(allocated)]
  return addPendingPart([...local, toGridPart(complement)], pendingConsumed)
}

/** What a battery drew, or what became of what it released. */
export const buildBatteryParts = (
  direction: 'consumption' | 'production',
  { local, rest, pending }: { local: number; rest: number; pending: number },
) =>
  addPendingPart(
    direction === 'consumption'
      ? [toStoragePart(local, 'Stocké'), toGridPart(rest)]
      : [toStoragePart(local, 'Restitué et affecté'), toSurplusPart(rest, 'Sans preneur')],
    pending,
  )

/** Each part with its share of the whole; nothing has no shares. */
export function computeShares(parts: SharePart[]) {
  const whole = parts.reduce((sum, part) => sum + Math.max(0, part.value), 0)
  return parts.map((part) => ({ ...part, share: whole > 0 ? Math.max(0, part.value) / whole : null }))
}

/** With their figures: energies in one unit, that of the whole. */
export function formatShareParts(
  parts: SharePart[],
  format = createEnergyFormatter([parts.reduce((sum, { value }) => sum + value, 0)]),
) {
  return computeShares(parts).map((part) => ({ ...part, text: format(part.value) }))
}

/** « Énergie locale : 12,0 kWh (40 %), Réseau : 18,0 kWh (60 %) ». */
export const describeParts = (parts: SharePart[], format?: (value: number) => string) =>
  formatShareParts(parts, format)
    .map(({ label, text, share }) => `${label}\u00a0: ${text}${share === null ? '' : ` (${formatPercent(share, 0)})`}`)
    .join(', ')
