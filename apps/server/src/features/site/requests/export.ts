import type { SiteRequest } from '@voisol/contract/requests'
import { buildTableFile } from '../../../files/table-file.ts'
import { getSubjectLabel, REQUEST_KIND_LABELS, REQUEST_STATUS_LABELS } from './manage-requests.ts'

const HEADER = [
  'Reçue le',
  'Demande',
  'État',
  'Prénom',
  'Nom',
  'E-mail',
  'Téléphone',
  'Entreprise',
  'Sujet',
  'Message',
  'Abonnement',
  'Suivie par',
  'Note',
]
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})

const SUBSCRIPTION_LABELS: Record<SiteRequest['subscription'], string> = {
  none: '',
  waiting: 'À confirmer',
  confirmed: 'Confirmé',
  left: 'Désabonné',
}

export const buildRequestsFile = (requests: SiteRequest[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'demandes',
    format,
    HEADER,
    requests.map((row) => [
      DATE_TIME_FORMAT.format(new Date(row.createdAt)),
      REQUEST_KIND_LABELS[row.kind],
      REQUEST_STATUS_LABELS[row.status],
      row.firstName,
      row.lastName,
      row.email,
      row.phone,
      row.company,
      getSubjectLabel(row.subject),
      row.message,
      SUBSCRIPTION_LABELS[row.subscription],
      row.handledBy,
      row.note,
    ]),
  )
