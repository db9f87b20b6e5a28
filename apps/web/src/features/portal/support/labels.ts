import type { TicketSubjectView } from '@voisol/contract/support'
import {
  type SupportTeam,
  TICKET_CATEGORY_LABELS,
  TICKET_PRIORITY_LABELS,
  TICKET_STATE_LABELS,
  type TicketPriority,
  type TicketState,
} from '@voisol/contract/support-labels'

type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'danger'

export const TICKET_STATE_TONES: Record<TicketState, Tone> = {
  new: 'info',
  open: 'warning',
  waiting: 'neutral',
  solved: 'success',
  closed: 'neutral',
}
/** As the asker reads it: a question that waits, waits for them. */
export const REQUESTER_STATE_LABELS: Record<TicketState, string> = {
  new: 'Envoyée',
  open: 'En cours',
  waiting: 'Réponse reçue',
  solved: 'Résolue',
  closed: 'Close',
}
export const TICKET_PRIORITY_TONES: Record<TicketPriority, Tone> = {
  low: 'neutral',
  normal: 'neutral',
  high: 'warning',
  urgent: 'danger',
}

const toOptions = <K extends string>(labels: Record<K, string>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value, label }))
export const ticketStateOptions = toOptions(TICKET_STATE_LABELS)
export const requesterStateOptions = toOptions(REQUESTER_STATE_LABELS)
export const ticketPriorityOptions = toOptions(TICKET_PRIORITY_LABELS)
export const ticketCategoryOptions = toOptions(TICKET_CATEGORY_LABELS)
export const DESK_LABELS: Record<SupportTeam, string> = { organiser: 'Participants', keeper: 'Organisations' }

/** Where what is asked about is read: a client's own screens, or the organiser's. */
export function getAboutPath(
  { kind, id }: TicketSubjectView,
  side: 'asker' | 'desk',
  desk: SupportTeam,
): string | undefined {
  if (desk === 'keeper') return side === 'asker' && kind === 'operation' ? `/acc-operations/${id}` : undefined
  if (side === 'asker')
    return kind === 'invoice' ? `/client-portal/invoices?facture=${id}` : '/client-portal/consumption'
  if (kind === 'invoice') return `/invoice/${id}`
  if (kind === 'operation') return `/acc-operations/${id}`
  return undefined
}

export const SCORE_LABELS = ['Pas du tout aidé', 'Peu aidé', 'Aidé en partie', 'Bien aidé', 'Très bien aidé'] as const
