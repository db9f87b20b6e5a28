import type { FileReply } from '@voisol/contract/endpoint'
import type { EnergySeries } from '@voisol/contract/energy'
import { localTime, offsetAt } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { writeXlsx, XLSX_TYPE } from '../../../files/xlsx.ts'
import type { Actor } from '../../../http/actor.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { loadEnergySeries, type SeriesQuery } from './energy-series.ts'

type EnergyFileFormat = 'csv-excel' | 'csv-data' | 'xlsx' | 'json'

const FILE_NAME = 'energie'
const EXPORTED_COLUMNS = ['produced', 'shared', 'surplus', 'consumed', 'allocated', 'complement'] as const
const COLUMN_TITLES = ['Production', 'Production partagée', 'Surplus', 'Consommation', 'Énergie locale', 'Complément']
const STORAGE_COLUMNS = ['charged', 'stored', 'released', 'restored'] as const
const STORAGE_TITLES = ['Charge des batteries', 'Stocké', 'Restitué', 'Restitué et affecté']
const QUALITY_LABELS = ['incomplet', 'brut', 'corrigé', 'estimé', 'douteux']
const CSV_TYPE = 'text/csv; charset=utf-8'

export async function exportEnergyFile(
  db: Db,
  actor: Actor,
  query: SeriesQuery & { format: EnergyFileFormat },
): Promise<FileReply> {
  const series = await loadEnergySeries(db, actor, query)
  switch (query.format) {
    case 'json':
      return {
        name: buildDatedFileName(FILE_NAME, 'json'),
        type: 'application/json; charset=utf-8',
        content: JSON.stringify(series),
      }
    case 'csv-data':
      return { name: buildDatedFileName(FILE_NAME, 'csv'), type: CSV_TYPE, content: formatDataCsv(series) }
    case 'csv-excel':
      return {
        name: buildDatedFileName(FILE_NAME, 'csv'),
        type: CSV_TYPE,
        content: writeCsv(buildHeader(series), toExportRows(series)),
      }
    case 'xlsx':
      return {
        name: buildDatedFileName(FILE_NAME, 'xlsx'),
        type: XLSX_TYPE,
        content: await writeXlsx(FILE_NAME, buildHeader(series), toExportRows(series)),
      }
  }
}

function buildHeader({ storage }: EnergySeries): string[] {
  const titles = [...COLUMN_TITLES, ...(storage ? STORAGE_TITLES : [])]
  return ['Début', 'Heure légale', ...titles.map((title) => `${title} (kWh)`), 'Qualité']
}

/** The figures of a row, batteries last. */
const getFiguresAt = (series: EnergySeries, at: number) => {
  const { storage } = series
  return [
    ...EXPORTED_COLUMNS.map((name) => series[name][at]),
    ...(storage ? STORAGE_COLUMNS.map((name) => storage[name][at]) : []),
  ]
}

const padTwoDigits = (value: number) => String(value).padStart(2, '0')
/** The season distinguishes the repeated hour in autumn. */
function formatLocalTime(start: string): string[] {
  const minute = Date.parse(start) / 60_000
  const { day, minuteOfDay } = localTime(minute)
  const clock = `${padTwoDigits(Math.floor(minuteOfDay / 60))}:${padTwoDigits(minuteOfDay % 60)}`
  const date = `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
  return [`${date} ${clock}`, offsetAt(minute) === 120 ? 'été' : 'hiver']
}

const toKwh = (wh: number | null | undefined): SpreadsheetCell =>
  typeof wh === 'number' ? Math.round(wh * 1000) / 1_000_000 : null

const toExportRows = (series: EnergySeries): SpreadsheetCell[][] =>
  series.starts.map((start, at) => [
    ...formatLocalTime(start),
    ...getFiguresAt(series, at).map(toKwh),
    QUALITY_LABELS[series.marks[at] ?? 0],
  ])

/** For programs: instants, watt-hours, decimal points. */
const formatDataCsv = (series: EnergySeries) =>
  [
    ['start', ...[...EXPORTED_COLUMNS, ...(series.storage ? STORAGE_COLUMNS : [])].map((name) => `${name}_wh`), 'mark'],
    ...series.starts.map((start, at) => [
      start,
      ...getFiguresAt(series, at).map((value) => value ?? ''),
      series.marks[at] ?? 0,
    ]),
  ]
    .map((row) => `${row.join(';')}\n`)
    .join('')
