import { DATA_SETS, type DataSet, isDataSet } from '@voisol/contract/data-sets'
import type { CsvDialect, ExportFormat, NewExport } from '@voisol/contract/exports'
import { hasPermission } from '@voisol/contract/permissions'
import type { Db } from '../../../db/client.ts'
import { XLSX_TYPE } from '../../../files/xlsx.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { DataSetQuery } from './data-set.ts'

/** What to export: the rows and the format. */
export type ExportOrder = Pick<
  NewExport,
  'dataSet' | 'from' | 'to' | 'operationId' | 'participantId' | 'format' | 'dialect'
>

/** The row limit of a worksheet, minus the header row. */
export const MAX_SHEET_ROWS = 1_048_575
/** Maximum length of a period; a longer one is probably a typing error. */
const MAX_PERIOD_YEARS = 20

export const toDataSetQuery = (
  db: Db,
  actor: Actor,
  { from, to, operationId, participantId }: ExportOrder,
): DataSetQuery => ({
  db,
  actor,
  from: from ?? '',
  to: to ?? '',
  operationId,
  participantId,
})

export function requireDataSetPermission(actor: Actor, id: DataSet) {
  if (!hasPermission(actor, DATA_SETS[id].permission))
    throw new AppError('forbidden', {
      message: `Votre rôle ne permet pas de consulter «\u00a0${DATA_SETS[id].label}\u00a0», ni donc de l’exporter.`,
    })
}

/**
 * Requires a period where the data set has one, and refuses filters that it does not have, rather than ignoring them.
 */
export function requireValidFilters({ dataSet, from, to, operationId, participantId }: ExportOrder) {
  const set = DATA_SETS[dataSet]
  if (set.period && (!from || !to)) throw fieldError(from ? 'to' : 'from', 'Choisissez les jours à exporter.')
  if (!set.period && (from || to))
    throw fieldError('from', 'Ce jeu de données n’a pas de période\u00a0: il est donné tel qu’il est aujourd’hui.')
  if (from && to && to <= from)
    throw fieldError('to', 'La fin est avant le début\u00a0: choisissez des jours dans l’ordre.')
  if (from && to && Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > MAX_PERIOD_YEARS)
    throw fieldError('from', `Au plus ${MAX_PERIOD_YEARS} années à la fois.`)
  if (!set.operation && operationId)
    throw fieldError('operationId', 'Ce jeu de données ne se restreint pas à une opération.')
  if (!set.participant && participantId)
    throw fieldError('participantId', 'Ce jeu de données ne se restreint pas à un participant.')
}

/** Checked before the export begins; empty when the format can hold the rows. */
export const getSizeRefusal = (format: ExportFormat, expected: number): string =>
  format === 'xlsx' && expected > MAX_SHEET_ROWS
    ? `Un classeur Excel tient au plus ${MAX_SHEET_ROWS.toLocaleString('fr-FR')} lignes, et il y en aurait environ ${expected.toLocaleString('fr-FR')}. Choisissez une période plus courte, ou le format CSV ou Parquet.`
    : ''

type FileKind = { extension: string; type: string }
/** Text formats are zipped with their dictionary; a workbook and a Parquet file contain theirs. */
const FILE_KINDS: Record<ExportFormat, FileKind> = {
  csv: { extension: 'zip', type: 'application/zip' },
  json: { extension: 'zip', type: 'application/zip' },
  jsonl: { extension: 'zip', type: 'application/zip' },
  xlsx: { extension: 'xlsx', type: XLSX_TYPE },
  parquet: { extension: 'parquet', type: 'application/vnd.apache.parquet' },
}
export const getFileKind = (format: ExportFormat): FileKind => FILE_KINDS[format]

/** File name without its extension. */
export const getFileStem = ({ dataSet, from, to }: ExportOrder) => [dataSet, from, to].filter(Boolean).join('-')

export const toExportOrder = (row: {
  dataSet: string
  format: string
  dialect: string
  from: string | null
  to: string | null
  operationId: string | null
  participantId: string | null
}): ExportOrder => {
  if (!isDataSet(row.dataSet)) throw new AppError('not-found')
  const { from, to, operationId, participantId } = row
  // Both columns have a CHECK constraint.
  const shape = { format: row.format as ExportFormat, dialect: row.dialect as CsvDialect }
  return { dataSet: row.dataSet, from, to, operationId, participantId, ...shape }
}
