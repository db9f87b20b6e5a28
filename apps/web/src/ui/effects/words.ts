import type { ImpactSide } from '@voisol/contract/effects'
import { formatKwh, formatMoney, formatMonth } from '../../lib/format.ts'

/** The month as a heading: « Mars 2025 ». */
export const formatMonthTitle = (day: string) => {
  const words = formatMonth(`${day}T12:00:00Z`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Watt-minutes. */
export const formatWattMinutes = (energy: number) => formatKwh(energy / 60_000)

/** With its sign; what rounds to nothing has none. */
export function formatSignedWattMinutes(energy: number) {
  const text = formatKwh(Math.abs(energy) / 60_000)
  if (text === formatKwh(0)) return energy === 0 ? text : `<\u00a0${formatKwh(0.1)}`
  return `${energy > 0 ? '+' : '−'}${text}`
}

/** In local energy; whoever takes no part has none. */
export const computeGain = (before: ImpactSide | null, after: ImpactSide | null) =>
  (after?.local ?? 0) - (before?.local ?? 0)

export const isPartialSide = (side: ImpactSide | null) => side !== null && side.missing > 0

/** A month that was invoiced: what its buyers owe more or less, and what comes of it. */
export function describeBillImpact(cents: number): string {
  if (cents === 0) return 'Ce mois est facturé\u00a0: en tout, ses factures ne changent pas.'
  const way = cents > 0 ? `${formatMoney(cents)} TTC de plus` : `${formatMoney(-cents)} TTC de moins`
  return `Ce mois est facturé\u00a0: ${way} en tout. Une régularisation sera proposée.`
}
