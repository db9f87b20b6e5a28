import type { SyncError } from '@voisol/contract/sync'
import { buildTableFile } from '../../../files/table-file.ts'

const NATURE_LABELS: Record<SyncError['fault']['nature'], string> = {
  quota: 'Quota',
  auth: 'Identifiants',
  consent: 'Accord',
  'no-data': 'Sans donnée',
  request: 'Demande',
  transient: 'Panne passagère',
  answer: 'Réponse écartée',
}
const HEADER = [
  'Première fois',
  'Dernière fois',
  'Nombre',
  'Code',
  'Nature',
  'Opération',
  'Point ou fichier',
  'Nom du point',
  'Message',
  'Explication',
  'À faire',
  'Référence',
  'Traitée le',
  'Traitée par',
]
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
})
const formatParisTime = (instant: string | null) => (instant ? DATE_TIME_FORMAT.format(new Date(instant)) : '')

export const buildErrorsFile = (errors: SyncError[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'erreurs-enedis',
    format,
    HEADER,
    errors.map(({ fault, ...row }) => [
      formatParisTime(row.at),
      formatParisTime(row.lastAt),
      row.times,
      fault.code,
      NATURE_LABELS[fault.nature],
      row.operationName,
      row.prm,
      row.label,
      fault.message,
      fault.explanation,
      fault.remedy,
      row.requestId,
      formatParisTime(row.handledAt),
      row.handledBy,
    ]),
  )
