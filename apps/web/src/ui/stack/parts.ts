import { energyLike, percent } from '../../lib/format.ts'
import type { Pattern } from '../chart/types.ts'

export type Part = { label: string; value: number; color: string; pattern?: Pattern }

/** The looks of energy, the same everywhere. Hatching is for what is not known: the grid's share is plain. */
export const localPart = (value: number, label = 'Énergie locale'): Part => ({
  label,
  value,
  color: 'var(--data-local)',
})
export const gridPart = (value: number, label = 'Réseau'): Part => ({
  label,
  value,
  color: 'var(--data-grid)',
})
export const surplusPart = (value: number, label = 'Surplus'): Part => ({
  label,
  value,
  color: 'var(--data-surplus)',
  pattern: 'dotted',
})

/** To a battery, or from one. */
export const storagePart = (value: number, label: string): Part => ({
  label,
  value,
  color: 'var(--data-storage)',
  pattern: 'barred',
})

/** Counted, and in no run yet. */
export const pendingPart = (value: number, label = 'Pas encore réparti'): Part => ({
  label,
  value,
  color: 'var(--data-pending)',
  pattern: 'open',
})

/** What passed through batteries; it is a part of these where every flow has both its ends among them. */
type Storage = { storage?: { stored: number; restored: number; whole: boolean } }
type Production = Storage & { shared: number; surplus: number; pendingProduced: number }
type Consumption = Storage & { allocated: number; complement: number; pendingConsumed: number }
const withPending = (parts: Part[], pending: number) => (pending > 0 ? [...parts, pendingPart(pending)] : parts)

/** What became of a production, and what a consumption is made of: the parts always make the whole. */
export function productionParts({ shared, surplus, pendingProduced, storage }: Production) {
  const local = storage?.whole
    ? [localPart(shared - storage.stored, 'Partagé en direct'), storagePart(storage.stored, 'Stocké')]
    : [localPart(shared, 'Partagé')]
  return withPending([...local, surplusPart(surplus)], pendingProduced)
}
export function consumptionParts({ allocated, complement, pendingConsumed, storage }: Consumption) {
  const local = storage?.whole
    ? [localPart(allocated - storage.restored, 'Locale en direct'), storagePart(storage.restored, 'Depuis la batterie')]
    : [localPart(allocated)]
  return withPending([...local, gridPart(complement)], pendingConsumed)
}

/** What a battery drew, or what became of what it released. */
export const batteryParts = (
  direction: 'consumption' | 'production',
  { local, rest, pending }: { local: number; rest: number; pending: number },
) =>
  withPending(
    direction === 'consumption'
      ? [storagePart(local, 'Stocké'), gridPart(rest)]
      : [storagePart(local, 'Restitué et affecté'), surplusPart(rest, 'Sans preneur')],
    pending,
  )

/** Each part with its share of the whole; nothing has no shares. */
export function sharesOf(parts: Part[]) {
  const whole = parts.reduce((sum, part) => sum + Math.max(0, part.value), 0)
  return parts.map((part) => ({ ...part, share: whole > 0 ? Math.max(0, part.value) / whole : null }))
}

/** With their figures: energies in one unit, that of the whole. */
export function toldParts(parts: Part[], format = energyLike([parts.reduce((sum, { value }) => sum + value, 0)])) {
  return sharesOf(parts).map((part) => ({ ...part, text: format(part.value) }))
}

/** « Énergie locale : 12,0 kWh (40 %), Réseau : 18,0 kWh (60 %) ». */
export const partsText = (parts: Part[], format?: (value: number) => string) =>
  toldParts(parts, format)
    .map(({ label, text, share }) => `${label}\u00a0: ${text}${share === null ? '' : ` (${percent(share, 0)})`}`)
    .join(', ')
