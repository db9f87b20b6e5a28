import { of } from '@voisol/contract/elision'
import type { InvoiceRow } from '@voisol/contract/invoice-views'
import { date, money, month } from './format.ts'

type Span = { from: string; to: string }
const dayBefore = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)
const isWholeMonth = ({ from, to }: Span) => {
  const next = new Date(`${from}T12:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return from.endsWith('-01') && next.toISOString().slice(0, 10) === to
}

/** « mai 2026 », or its first and last days. */
export const periodLabel = (span: Span) =>
  isWholeMonth(span) ? month(span.from) : `${date(span.from)} – ${date(dayBefore(span.to))}`

/** « d’avril 2026 », « du 01/05/2026 au 14/05/2026 ». */
export const ofPeriod = (span: Span) =>
  isWholeMonth(span) ? of(month(span.from)) : `du ${date(span.from)} au ${date(dayBefore(span.to))}`

type Asking = Pick<InvoiceRow, 'kind' | 'state' | 'gross' | 'open' | 'dueOn'>

/** What a document asks of its reader, in one sentence. */
export function headline({ kind, state, gross, open, dueOn }: Asking): string {
  if (kind === 'statement') return 'Rien à payer'
  if (kind === 'creditNote') return `${money(gross)} en votre faveur`
  if (state === 'settled') return `${money(gross)}, soldée`
  const when = state === 'overdue' ? 'à payer depuis le' : 'à payer au plus tard le'
  return `${money(open)} ${when} ${date(dueOn)}`
}
