import type { CsvDialect, DataExport, dataExports, ExportFormat, ExportPlan, NewExport } from '@voisol/contract/exports'
import { addDays, isDay } from '@voisol/energy/calendar'
import { useState } from 'react'
import type { z } from 'zod'
import type { Tone } from '../../../components/badge.tsx'
import { formatDate, formatNumber } from '../../../lib/format.ts'

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
const EXPORT_SHAPES: Record<string, ExportShape & { label: string }> = {
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

export type ExportDataSets = z.output<typeof dataExports.sets.response>
export type ExportDataSet = ExportDataSets['items'][number]
export type ExportDraft = {
  dataSet: string
  from: string
  last: string
  operationId: string
  participantId: string
  shape: string
}

/** The month that has ended: what most people take away. */
function getLastMonth(now = new Date()) {
  const first = `${now.toISOString().slice(0, 7)}-01`
  const last = addDays(first, -1)
  return { from: `${last.slice(0, 7)}-01`, last }
}

/** What is chosen, and what of it can be asked for: a set takes what it knows. */
export function useExportDraft(sets: ExportDataSet[]) {
  const [draft, setDraft] = useState<ExportDraft>(() => ({
    dataSet: sets[0]?.id ?? '',
    operationId: '',
    participantId: '',
    shape: 'csv',
    ...getLastMonth(),
  }))
  const change = (more: Partial<ExportDraft>) => setDraft((old) => ({ ...old, ...more }))
  const set = sets.find(({ id }) => id === draft.dataSet) ?? sets[0]
  return { draft, change, set, order: set && toNewExport(draft, set) }
}

/** Undefined where the days are not days yet, or not in their order. */
function toNewExport(draft: ExportDraft, set: ExportDataSet): NewExport | undefined {
  const { format, dialect } = EXPORT_SHAPES[draft.shape] ?? { format: 'csv' as const, dialect: 'french' as const }
  const filters = {
    operationId: (set.operation && draft.operationId) || null,
    participantId: (set.participant && draft.participantId) || null,
  }
  const rest = { dataSet: set.id, format, dialect, ...filters }
  if (!set.period) return { ...rest, from: null, to: null }
  if (!isDay(draft.from) || !isDay(draft.last) || draft.last < draft.from) return undefined
  return { ...rest, from: draft.from, to: addDays(draft.last, 1) }
}
