import type { CONTACT_SUBJECTS, RequestKind, RequestStatus, SiteRequest } from '@voisol/contract/requests'

export const REQUEST_KIND_LABELS: Record<RequestKind, string> = {
  contact: 'Contact',
  newsletter: 'Lettre d’information',
  'white-paper': 'Livre blanc',
  webinar: 'Webinaire',
}
export const REQUEST_STATUS_LABELS: Record<RequestStatus, string> = {
  new: 'Nouvelle',
  'in-progress': 'En cours',
  answered: 'Répondue',
  closed: 'Close',
}
export const SUBSCRIPTION_LABELS: Record<SiteRequest['subscription'], string> = {
  none: '',
  waiting: 'À confirmer',
  confirmed: 'Confirmé',
  left: 'Désabonné',
}
const SUBJECT_LABELS: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  demo: 'Démonstration',
  tarifs: 'Tarifs',
  projet: 'Votre projet',
  support: 'Assistance',
  presse: 'Presse',
  partenariat: 'Partenariat',
  autre: 'Autre sujet',
}

/** A contact keeps the name of its subject; anything else the title of what was asked for. */
export const getSubjectLabel = (subject: string) =>
  Object.hasOwn(SUBJECT_LABELS, subject) ? SUBJECT_LABELS[subject as keyof typeof SUBJECT_LABELS] : subject // just looked up
