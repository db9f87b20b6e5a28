import type { SiteRequest } from '@voisol/contract/requests'
import { tableFile } from '../../../files/table-file.ts'
import { KIND_LABELS, STATUS_LABELS, SUBSCRIPTION_LABELS, subjectLabel } from './labels.ts'

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
const moment = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Paris' })

export const requestsFile = (requests: SiteRequest[], format: 'csv' | 'xlsx') =>
  tableFile(
    'demandes',
    format,
    HEADER,
    requests.map((row) => [
      moment.format(new Date(row.createdAt)),
      KIND_LABELS[row.kind],
      STATUS_LABELS[row.status],
      row.firstName,
      row.lastName,
      row.email,
      row.phone,
      row.company,
      subjectLabel(row.subject),
      row.message,
      SUBSCRIPTION_LABELS[row.subscription],
      row.handledBy,
      row.note,
    ]),
  )
