import { of } from '@voisol/contract/elision'
import { DELIVERY_WORDS, type DeliveryState, type InvoiceState } from '@voisol/contract/invoice-views'
import { type InvoiceKind, KIND_WORDS } from '@voisol/contract/money'
import { date, kwh, money, month } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

type Label = { label: string; tone: Tone }

export const STATES: Record<InvoiceState, Label> = {
  due: { label: 'À échoir', tone: 'info' },
  overdue: { label: 'En retard', tone: 'danger' },
  settled: { label: 'Soldée', tone: 'success' },
  credit: { label: 'Crédit à reporter', tone: 'warning' },
  told: { label: 'Sans paiement', tone: 'neutral' },
}
export const stateLabel = (kind: InvoiceKind, state: InvoiceState) =>
  kind === 'creditNote' && state === 'settled' ? 'Imputé' : STATES[state].label

const CHANNELS: Record<string, string> = {
  mail: 'E-mail',
  portal: 'Espace client',
  chorus: 'Chorus Pro',
  pa: 'Plateforme agréée',
}
export const channelLabel = (channel: string) => CHANNELS[channel] ?? channel

const TONES: Record<DeliveryState, Tone> = {
  waiting: 'warning',
  sent: 'success',
  failed: 'danger',
  deposited: 'info',
  available: 'success',
  rejected: 'danger',
  paid: 'success',
}
const isDelivery = (state: string): state is DeliveryState => Object.hasOwn(TONES, state)
export const deliveryLabel = (state: string): Label =>
  isDelivery(state) ? { label: DELIVERY_WORDS[state], tone: TONES[state] } : { label: state, tone: 'neutral' }

export const titleOf = ({ kind, number }: { kind: InvoiceKind; number: string }) => `${KIND_WORDS[kind]} ${number}`

/** What the buyer owes by it: a credit note takes away. */
export const signed = (kind: InvoiceKind, cents: number) => money(kind === 'creditNote' ? -cents : cents)

const dayBefore = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)
const isWholeMonth = (from: string, to: string) => {
  const next = new Date(`${from}T12:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return from.endsWith('-01') && next.toISOString().slice(0, 10) === to
}
/** « mai 2026 », or its first and last days. */
export const periodLabel = ({ from, to }: { from: string; to: string }) =>
  isWholeMonth(from, to) ? month(from) : `${date(from)} – ${date(dayBefore(to))}`

/** « d’avril 2026 », « du 01/05/2026 au 14/05/2026 ». */
export const ofPeriod = ({ from, to }: { from: string; to: string }) =>
  isWholeMonth(from, to) ? of(month(from)) : `du ${date(from)} au ${date(dayBefore(to))}`

/** As on documents: watt-hours in kWh with three decimals. */
export const documentKwh = (wh: number) => kwh(wh / 1000, 3)
