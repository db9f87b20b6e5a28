import { DELIVERY_WORDS, type DeliveryState, type InvoiceState } from '@voisol/contract/invoice-views'
import { type InvoiceKind, KIND_WORDS } from '@voisol/contract/money'
import { kwh, money, number } from '../../lib/format.ts'
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
/** The document that has been late the longest. */
export const lateFirst = <Row extends { state: InvoiceState; dueOn: string | null }>(rows: Row[]): Row | undefined =>
  rows
    .filter(({ state }) => state === 'overdue')
    .toSorted((a, b) => (a.dueOn ?? '').localeCompare(b.dueOn ?? ''))
    .at(0)

export const signed = (kind: InvoiceKind, cents: number) => money(kind === 'creditNote' ? -cents : cents)

/** As on documents: watt-hours in kWh with three decimals. */
export const documentKwh = (wh: number) => kwh(wh / 1000, 3)
/** Of parts of a line, in 1/10 000 €: a day is often less than a cent. */
export const fineMoney = (tenThousandths: number) => `${number(tenThousandths / 10_000, 4)}\u00a0€`
