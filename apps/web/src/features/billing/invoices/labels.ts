import { DELIVERY_STATE_LABELS, type DeliveryState, type InvoiceState } from '@voisol/contract/invoice-views'
import type { InvoiceKind } from '@voisol/contract/money'
import type { Tone } from '../../../components/badge.tsx'
import { formatKwh, formatMoney } from '../../../lib/format.ts'

type Label = { label: string; tone: Tone }

export const INVOICE_STATE_LABELS: Record<InvoiceState, Label> = {
  due: { label: 'À échoir', tone: 'info' },
  overdue: { label: 'En retard', tone: 'danger' },
  settled: { label: 'Soldée', tone: 'success' },
  credit: { label: 'Crédit à reporter', tone: 'warning' },
  told: { label: 'Sans paiement', tone: 'neutral' },
}
export const getInvoiceStateLabel = (kind: InvoiceKind, state: InvoiceState) =>
  kind === 'creditNote' && state === 'settled' ? 'Imputé' : INVOICE_STATE_LABELS[state].label

const CHANNEL_LABELS: Record<string, string> = {
  mail: 'E-mail',
  portal: 'Espace client',
  chorus: 'Chorus Pro',
  pa: 'Plateforme agréée',
}
export const getChannelLabel = (channel: string) => CHANNEL_LABELS[channel] ?? channel

const DELIVERY_TONES: Record<DeliveryState, Tone> = {
  waiting: 'warning',
  sent: 'success',
  failed: 'danger',
  deposited: 'info',
  available: 'success',
  rejected: 'danger',
  paid: 'success',
}
const isDeliveryState = (state: string): state is DeliveryState => Object.hasOwn(DELIVERY_TONES, state)
export const getDeliveryLabel = (state: string): Label =>
  isDeliveryState(state)
    ? { label: DELIVERY_STATE_LABELS[state], tone: DELIVERY_TONES[state] }
    : { label: state, tone: 'neutral' }

/** What the buyer owes by it: a credit note takes away. */
/** The document that has been late the longest. */
export const findOldestOverdue = <Row extends { state: InvoiceState; dueOn: string | null }>(
  rows: Row[],
): Row | undefined =>
  rows
    .filter(({ state }) => state === 'overdue')
    .toSorted((a, b) => (a.dueOn ?? '').localeCompare(b.dueOn ?? ''))
    .at(0)

export const formatSignedAmount = (kind: InvoiceKind, cents: number) =>
  formatMoney(kind === 'creditNote' ? -cents : cents)

/** As on documents: watt-hours in kWh with three decimals. */
export const formatDocumentKwh = (wh: number) => formatKwh(wh / 1000, 3)
