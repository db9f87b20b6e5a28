import type { MonthState } from '@voisol/contract/billing'
import type { MonthDifference } from '@voisol/contract/billing-documents'
import { withDe } from '@voisol/contract/elision'
import type { InvoiceRow } from '@voisol/contract/invoice-views'
import type { Tone } from '../components/badge.tsx'
import { formatDate, formatMoney, formatMonth, formatNumber } from './format.ts'

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

type DateRange = { from: string; to: string }
const toDayBefore = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)
const isWholeMonth = ({ from, to }: DateRange) => {
  const next = new Date(`${from}T12:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return from.endsWith('-01') && next.toISOString().slice(0, 10) === to
}

/** « mai 2026 », or its first and last days. */
export const formatInvoicePeriod = (span: DateRange) =>
  isWholeMonth(span) ? formatMonth(span.from) : `${formatDate(span.from)} – ${formatDate(toDayBefore(span.to))}`

/** « d’avril 2026 », « du 01/05/2026 au 14/05/2026 ». */
export const formatInvoicePeriodWithDe = (span: DateRange) =>
  isWholeMonth(span)
    ? withDe(formatMonth(span.from))
    : `du ${formatDate(span.from)} au ${formatDate(toDayBefore(span.to))}`

type InvoiceSummary = Pick<InvoiceRow, 'kind' | 'state' | 'gross' | 'open' | 'dueOn'>

/** What a document asks of its reader, in one sentence. */
export function formatInvoiceHeadline({ kind, state, gross, open, dueOn }: InvoiceSummary): string {
  if (kind === 'statement') return 'Rien à payer'
  if (kind === 'creditNote') return `${formatMoney(gross)} en votre faveur`
  if (state === 'settled') return `${formatMoney(gross)}, soldée`
  const when = state === 'overdue' ? 'à payer depuis le' : 'à payer au plus tard le'
  return `${formatMoney(open)} ${when} ${formatDate(dueOn)}`
}
