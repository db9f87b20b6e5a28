import type { EffectSide } from '@voisol/contract/effects'
import { kwh, money, month } from '../../lib/format.ts'

/** The month as a heading: « Mars 2025 ». */
export const monthTitle = (day: string) => {
  const words = month(`${day}T12:00:00Z`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Watt-minutes. */
export const figure = (energy: number) => kwh(energy / 60_000)

/** With its sign; what rounds to nothing has none. */
export function signed(energy: number) {
  const text = kwh(Math.abs(energy) / 60_000)
  if (text === kwh(0)) return energy === 0 ? text : `<\u00a0${kwh(0.1)}`
  return `${energy > 0 ? '+' : '−'}${text}`
}

/** In local energy; whoever takes no part has none. */
export const gainOf = (before: EffectSide | null, after: EffectSide | null) =>
  (after?.local ?? 0) - (before?.local ?? 0)

export const isPartial = (side: EffectSide | null) => side !== null && side.missing > 0

/** A month that was invoiced: what its buyers owe more or less, and what comes of it. */
export function billWords(cents: number): string {
  if (cents === 0) return 'Ce mois est facturé\u00a0: en tout, ses factures ne changent pas.'
  const way = cents > 0 ? `${money(cents)} TTC de plus` : `${money(-cents)} TTC de moins`
  return `Ce mois est facturé\u00a0: ${way} en tout. Une régularisation sera proposée.`
}
