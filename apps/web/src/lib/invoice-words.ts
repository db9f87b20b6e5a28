import { withDe } from '@voisol/contract/elision'
import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { formatDate, formatMoney, formatMonth } from './format.ts'

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
