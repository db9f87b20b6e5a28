import type { SyncError } from '@voisol/contract/sync'
import { tableFile } from '../../../files/table-file.ts'

const NATURES: Record<SyncError['fault']['nature'], string> = {
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
const moment = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Europe/Paris' })
const inParis = (instant: string | null) => (instant ? moment.format(new Date(instant)) : '')

export const errorsFile = (errors: SyncError[], format: 'csv' | 'xlsx') =>
  tableFile(
    'erreurs-enedis',
    format,
    HEADER,
    errors.map(({ fault, ...row }) => [
      inParis(row.at),
      inParis(row.lastAt),
      row.times,
      fault.code,
      NATURES[fault.nature],
      row.operationName,
      row.prm,
      row.label,
      fault.message,
      fault.explanation,
      fault.remedy,
      row.requestId,
      inParis(row.handledAt),
      row.handledBy,
    ]),
  )
