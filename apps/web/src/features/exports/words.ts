import type { CsvDialect, DataExport, ExportFormat, ExportPlan } from '@voisol/contract/exports'
import { addDays } from '@voisol/energy/calendar'
import { formatDate, formatNumber } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export const EXPORT_STATE_LABELS: Record<DataExport['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'En attente', tone: 'info' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Prêt', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
  cancelled: { label: 'Annulé', tone: 'neutral' },
  expired: { label: 'Effacé', tone: 'neutral' },
}
export const isExportInProgress = ({ state }: Pick<DataExport, 'state'>) => state === 'waiting' || state === 'running'

type ExportShape = { format: ExportFormat; dialect: CsvDialect }
/** Format and dialect are one choice: nobody thinks of a dialect of Parquet. */
export const EXPORT_SHAPES: Record<string, ExportShape & { label: string }> = {
  csv: { format: 'csv', dialect: 'french', label: 'CSV français (; et virgule)' },
  rfc: { format: 'csv', dialect: 'rfc', label: 'CSV international (RFC 4180)' },
  xlsx: { format: 'xlsx', dialect: 'french', label: 'Classeur Excel' },
  json: { format: 'json', dialect: 'french', label: 'JSON, un tableau' },
  jsonl: { format: 'jsonl', dialect: 'french', label: 'JSON, une ligne par objet' },
  parquet: { format: 'parquet', dialect: 'french', label: 'Parquet' },
}
export const EXPORT_SHAPE_OPTIONS = Object.entries(EXPORT_SHAPES).map(([value, { label }]) => ({ value, label }))
export const getExportShapeLabel = ({ format, dialect }: ExportShape) =>
  Object.values(EXPORT_SHAPES).find((one) => one.format === format && (format !== 'csv' || one.dialect === dialect))
    ?.label

export const EXPORT_PERIOD_LABELS: Record<ExportPlan['period'], string> = {
  yesterday: 'La veille',
  'last-week': 'La semaine passée',
  'last-month': 'Le mois passé',
  'month-to-date': 'Le mois en cours, jusqu’à la veille',
}
const SCHEDULE_LABELS: Record<string, string> = {
  none: 'À la demande',
  'six-hours': 'Toutes les six heures',
  night: 'Chaque nuit',
  week: 'Chaque lundi',
  month: 'Le premier du mois',
  paused: 'Connexion en pause',
  stopped: 'Connexion arrêtée',
}
export const getScheduleLabel = (schedule: string) => SCHEDULE_LABELS[schedule] ?? schedule

/** « Du 1 mars 2026 au 31 mars 2026 »: people count the last day in. */
export const formatExportPeriod = ({ from, to }: { from: string | null; to: string | null }) =>
  from && to ? `Du ${formatDate(from)} au ${formatDate(addDays(to, -1))}` : 'Tel qu’aujourd’hui'

/** « 1,4 Mo ». */
export const formatFileSize = (bytes: number) => {
  if (bytes < 1e3) return `${formatNumber(bytes)}\u00a0o`
  if (bytes < 1e6) return `${formatNumber(bytes / 1e3, 0)}\u00a0ko`
  return bytes < 1e9 ? `${formatNumber(bytes / 1e6, 1)}\u00a0Mo` : `${formatNumber(bytes / 1e9, 2)}\u00a0Go`
}
export const formatRowCount = (rows: number) => `${formatNumber(rows)}\u00a0${rows > 1 ? 'lignes' : 'ligne'}`
