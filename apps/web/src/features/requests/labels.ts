import type { RequestKind, RequestStatus, SiteRequest } from '@voisol/contract/requests'
import type { Tone } from '../../ui/badge.tsx'

export const REQUEST_KIND_LABELS: Record<RequestKind, string> = {
  contact: 'Contact',
  newsletter: 'Lettre',
  'white-paper': 'Livre blanc',
  webinar: 'Webinaire',
}
export const REQUEST_STATUS_LABELS: Record<RequestStatus, { label: string; tone: Tone }> = {
  new: { label: 'Nouvelle', tone: 'info' },
  'in-progress': { label: 'En cours', tone: 'warning' },
  answered: { label: 'Répondue', tone: 'success' },
  closed: { label: 'Close', tone: 'neutral' },
}
export const REQUEST_SUBSCRIPTION_LABELS: Record<SiteRequest['subscription'], string> = {
  none: '',
  waiting: 'Abonnement à confirmer',
  confirmed: 'Abonné',
  left: 'Désabonné',
}
export const requestKindOptions = Object.entries(REQUEST_KIND_LABELS).map(([value, label]) => ({ value, label }))
export const requestStatusOptions = Object.entries(REQUEST_STATUS_LABELS).map(([value, { label }]) => ({
  value,
  label,
}))
export const getVisitorName = ({ firstName, lastName, email }: SiteRequest) =>
  `${firstName} ${lastName}`.trim() || email
