import type { CsvDialect, DataExport, ExportFormat, ExportPlan } from '@voisol/contract/exports'
import { addDays } from '@voisol/energy/calendar'
import { date, number } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const STATES: Record<DataExport['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'En attente', tone: 'info' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Prêt', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
  expired: { label: 'Effacé', tone: 'neutral' },
}
export const isOpen = ({ state }: Pick<DataExport, 'state'>) => state === 'waiting' || state === 'running'

type Shape = { format: ExportFormat; dialect: CsvDialect }
/** Format and dialect are one choice: nobody thinks of a dialect of Parquet. */
export const SHAPES: Record<string, Shape & { label: string }> = {
  csv: { format: 'csv', dialect: 'french', label: 'CSV français (; et virgule)' },
  rfc: { format: 'csv', dialect: 'rfc', label: 'CSV international (RFC 4180)' },
  xlsx: { format: 'xlsx', dialect: 'french', label: 'Classeur Excel' },
  json: { format: 'json', dialect: 'french', label: 'JSON, un tableau' },
  jsonl: { format: 'jsonl', dialect: 'french', label: 'JSON, une ligne par objet' },
  parquet: { format: 'parquet', dialect: 'french', label: 'Parquet' },
}
export const SHAPE_OPTIONS = Object.entries(SHAPES).map(([value, { label }]) => ({ value, label }))
export const shapeLabel = ({ format, dialect }: Shape) =>
  Object.values(SHAPES).find((one) => one.format === format && (format !== 'csv' || one.dialect === dialect))?.label

export const PERIODS: Record<ExportPlan['period'], string> = {
  yesterday: 'La veille',
  'last-week': 'La semaine passée',
  'last-month': 'Le mois passé',
  'month-to-date': 'Le mois en cours, jusqu’à la veille',
}
const SCHEDULES: Record<string, string> = {
  none: 'À la demande',
  'six-hours': 'Toutes les six heures',
  night: 'Chaque nuit',
  week: 'Chaque lundi',
  month: 'Le premier du mois',
  paused: 'Connexion en pause',
  stopped: 'Connexion arrêtée',
}
export const scheduleLabel = (schedule: string) => SCHEDULES[schedule] ?? schedule

/** « Du 1 mars 2026 au 31 mars 2026 »: people count the last day in. */
export const periodWords = ({ from, to }: { from: string | null; to: string | null }) =>
  from && to ? `Du ${date(from)} au ${date(addDays(to, -1))}` : 'Tel qu’aujourd’hui'

/** « 1,4 Mo ». */
export const fileSize = (bytes: number) => {
  if (bytes < 1e3) return `${number(bytes)}\u00a0o`
  if (bytes < 1e6) return `${number(bytes / 1e3, 0)}\u00a0ko`
  return bytes < 1e9 ? `${number(bytes / 1e6, 1)}\u00a0Mo` : `${number(bytes / 1e9, 2)}\u00a0Go`
}
export const rowWords = (rows: number) => `${number(rows)}\u00a0${rows > 1 ? 'lignes' : 'ligne'}`
