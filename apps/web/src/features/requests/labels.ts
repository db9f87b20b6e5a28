import type { RequestKind, RequestStatus, SiteRequest } from '@voisol/contract/requests'
import type { Tone } from '../../ui/badge.tsx'

export const KINDS: Record<RequestKind, string> = {
  contact: 'Contact',
  newsletter: 'Lettre',
  'white-paper': 'Livre blanc',
  webinar: 'Webinaire',
}
export const REQUEST_STATUSES: Record<RequestStatus, { label: string; tone: Tone }> = {
  new: { label: 'Nouvelle', tone: 'info' },
  'in-progress': { label: 'En cours', tone: 'warning' },
  answered: { label: 'Répondue', tone: 'success' },
  closed: { label: 'Close', tone: 'neutral' },
}
export const SUBSCRIPTIONS: Record<SiteRequest['subscription'], string> = {
  none: '',
  waiting: 'Abonnement à confirmer',
  confirmed: 'Abonné',
  left: 'Désabonné',
}
export const kindOptions = Object.entries(KINDS).map(([value, label]) => ({ value, label }))
export const requestStatusOptions = Object.entries(REQUEST_STATUSES).map(([value, { label }]) => ({ value, label }))
export const whoOf = ({ firstName, lastName, email }: SiteRequest) => `${firstName} ${lastName}`.trim() || email
