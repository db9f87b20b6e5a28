import type { AboutShown } from '@voisol/contract/support'
import {
  CATEGORY_LABELS,
  type Desk,
  PRIORITY_LABELS,
  STATE_LABELS,
  type TicketPriority,
  type TicketState,
} from '@voisol/contract/support-words'

type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

export const STATE_TONES: Record<TicketState, Tone> = {
  new: 'info',
  open: 'warning',
  waiting: 'neutral',
  solved: 'success',
  closed: 'neutral',
}
/** As the asker reads it: a question that waits, waits for them. */
export const ASKER_STATES: Record<TicketState, string> = {
  new: 'Envoyée',
  open: 'En cours',
  waiting: 'Réponse reçue',
  solved: 'Résolue',
  closed: 'Close',
}
export const PRIORITY_TONES: Record<TicketPriority, Tone> = {
  low: 'neutral',
  normal: 'neutral',
  high: 'warning',
  urgent: 'danger',
}

const options = <K extends string>(labels: Record<K, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }))
export const stateOptions = options(STATE_LABELS)
export const askerStateOptions = options(ASKER_STATES)
export const priorityOptions = options(PRIORITY_LABELS)
export const categoryOptions = options(CATEGORY_LABELS)
export const DESKS: Record<Desk, string> = { organiser: 'Participants', keeper: 'Organisations' }

/** Where what is asked about is read: a client's own screens, or the organiser's. */
export function pathOf({ kind, id }: AboutShown, side: 'asker' | 'desk', desk: Desk): string | undefined {
  if (desk === 'keeper') return side === 'asker' && kind === 'operation' ? `/acc-operations/${id}` : undefined
  if (side === 'asker')
    return kind === 'invoice' ? `/client-portal/invoices?facture=${id}` : '/client-portal/consumption'
  if (kind === 'invoice') return `/invoice/${id}`
  if (kind === 'operation') return `/acc-operations/${id}`
  return undefined
}

export const STARS = ['Pas du tout aidé', 'Peu aidé', 'Aidé en partie', 'Bien aidé', 'Très bien aidé'] as const
