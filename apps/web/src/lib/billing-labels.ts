import type { MonthState } from '@voisol/contract/billing'
import type { MonthDifference } from '@voisol/contract/billing-documents'
import type { Tone } from '../ui/badge.tsx'
import { formatMoney, formatNumber } from './format.ts'

export const MONTH_STATE_LABELS: Record<MonthState, { label: string; tone: Tone }> = {
  open: { label: 'À compléter', tone: 'neutral' },
  ready: { label: 'À clôturer', tone: 'info' },
  elsewhere: { label: 'Facturé ailleurs', tone: 'neutral' },
  closed: { label: 'Clos', tone: 'warning' },
  issued: { label: 'Émis', tone: 'success' },
}

const monthFormat = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** « octobre 2026 ». */
export const formatBillingMonth = (month: string) => monthFormat.format(new Date(`${month}-01T12:00:00Z`))
export const formatBillingMonthTitle = (month: string) => {
  const name = formatBillingMonth(month)
  return name.charAt(0).toUpperCase() + name.slice(1)
}
export const getPreviousMonth = (month: string) => {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return at === 1 ? `${year - 1}-12` : `${year}-${String(at - 1).padStart(2, '0')}`
}

/** As documents print it: three decimals. */
export const formatBilledKwh = (wh: number) => `${formatNumber(wh / 1000, 3)}\u00a0kWh`
export const formatSignedMoney = (cents: number) =>
  cents > 0 ? `+${formatMoney(cents)}` : formatMoney(cents).replace('-', '−')

/** In the order in which they are put in place, which is part of what they say. */
export const MONTH_DIFFERENCE_CAUSES: { name: keyof MonthDifference; label: string; words: string }[] = [
  { name: 'days', label: 'Jours', words: 'jours de présence des participants' },
  { name: 'sun', label: 'Soleil', words: 'énergie que les producteurs ont partagée chaque jour' },
  { name: 'use', label: 'Usage', words: 'part de chacun dans la consommation de tous' },
  { name: 'key', label: 'Clé', words: 'ce que la répartition a donné pour cette part' },
  { name: 'price', label: 'Prix', words: 'prix moyen du kilowattheure' },
  { name: 'other', label: 'Frais et remises', words: 'abonnements, accise et remises' },
]
export const sumMonthDifference = (difference: MonthDifference) =>
  MONTH_DIFFERENCE_CAUSES.reduce((sum, { name }) => sum + difference[name], 0)
