import { Readable } from 'node:stream'
import type { FileReply } from '@voisol/contract/endpoint'
import { addDays, dayStart, offsetAt } from '@voisol/energy/calendar'
import { TIME_CLASSES } from '@voisol/energy/time-classes'
import { formatPointDirection } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import { AppError } from '../../../http/errors.ts'
import type { RunRow } from './allocation-runs.ts'
import { splitIntoMonths } from './run-parts.ts'
import { loadRunDayRows, loadRunDays, loadRunPairs, loadRunPoints, type StoredRunDay } from './run-results.ts'
import { getStoredStep } from './run-steps.ts'

type ResultLevel = 'points' | 'days' | 'pairs' | 'steps'
type ResultFormat = 'csv' | 'xlsx'

/** Kilowatt-hours, rounded only here. */
const toKwh = (wattMinutes: number | undefined) => Math.round((wattMinutes ?? 0) / 60) / 1000

export function exportRun(db: Db, run: RunRow, level: ResultLevel, format: ResultFormat): Promise<FileReply> {
  const name = `repartition-${run.startsOn}-${addDays(run.endsOn, -1)}`
  if (level === 'points') return exportPoints(db, run, name, format)
  if (level === 'days') return exportDays(db, run, `${name}-jours`, format)
  if (level === 'pairs') return exportPairs(db, run, `${name}-flux`, format)
  return exportSteps(db, run, `${name}-pas`, format)
}

async function exportPoints(db: Db, run: RunRow, name: string, format: ResultFormat) {
  const header = ['PRM', 'Nom', 'Sens', 'Total (kWh)', 'Part locale (kWh)', 'Reste (kWh)']
  const classes = TIME_CLASSES.flatMap((name) => [`${name} total (kWh)`, `${name} local (kWh)`])
  const rows = (await loadRunPoints(db, run)).map((point): SpreadsheetCell[] => [
    point.prm,
    point.label,
    formatPointDirection(point),
    toKwh(point.total),
    toKwh(point.local),
    toKwh(point.total - point.local),
    ...TIME_CLASSES.flatMap((name) => [toKwh(point.classes[name]?.total), toKwh(point.classes[name]?.local)]),
  ])
  return buildTableFile(name, format, [...header, ...classes], rows)
}

async function exportDays(db: Db, run: RunRow, name: string, format: ResultFormat) {
  const header = ['Jour', 'Production (kWh)', 'Affecté (kWh)', 'Surplus (kWh)', 'Consommation (kWh)']
  const days = await loadRunDays(db, run)
  const hasStorage = days.some(({ storage }) => storage)
  const rows = days.map(({ storage, ...day }): SpreadsheetCell[] => [
    day.day.split('-').reverse().join('/'),
    ...[day.produced, day.allocated, day.surplus, day.consumed, day.complement].map(toKwh),
    ...(hasStorage ? STORAGE_COLUMNS.map(({ name }) => toKwh(storage?.[name])) : []),
    day.excluded,
  ])
  const titles = hasStorage ? STORAGE_COLUMNS.map(({ title }) => `${title} (kWh)`) : []
  return buildTableFile(name, format, [...header, 'Complément (kWh)', ...titles, 'Pas écartés'], rows)
}

const STORAGE_COLUMNS = [
  { name: 'charged', title: 'Charge des batteries' },
  { name: 'stored', title: 'Stocké' },
  { name: 'released', title: 'Restitué' },
  { name: 'restored', title: 'Restitué et affecté' },
] as const

async function exportPairs(db: Db, run: RunRow, name: string, format: ResultFormat) {
  const points = new Map((await loadRunPoints(db, run)).map((point) => [point.pointId, point]))
  const header = ['PRM producteur', 'Producteur', 'PRM consommateur', 'Consommateur', 'Énergie (kWh)']
  const rows = (await loadRunPairs(db, run)).map(({ producerId, pointId, energy, classes }): SpreadsheetCell[] => {
    const [from, to] = [points.get(producerId), points.get(pointId)]
    const parts = TIME_CLASSES.map((name) => toKwh(classes[name]))
    return [from?.prm, from?.label, to?.prm, to?.label, toKwh(energy), ...parts]
  })
  return buildTableFile(name, format, [...header, ...TIME_CLASSES.map((name) => `${name} (kWh)`)], rows)
}

const MAX_WORKBOOK_CELLS = 500_000
type StepColumn = { id: string; title: string }

async function exportSteps(db: Db, run: RunRow, name: string, format: ResultFormat): Promise<FileReply> {
  const columns = (await loadRunPoints(db, run)).map(({ pointId, prm, direction }) => ({
    id: pointId,
    title: `${prm} ${direction === 'production' ? 'partagé' : 'affecté'} (kWh)`,
  }))
  const header = ['Début du pas', ...columns.map(({ title }) => title)]
  if (format === 'csv')
    return { name: `${name}.csv`, content: Readable.from(streamStepLines(db, run, columns, header)) }
  // Checks the run's number of steps before reading them.
  const { steps = 0 } = run.counts as { steps?: number }
  if (steps * columns.length > MAX_WORKBOOK_CELLS)
    throw new AppError('invalid', {
      message: 'Ce résultat est trop grand pour un classeur : exportez-le au format CSV.',
    })
  const rows: SpreadsheetCell[][] = []
  for await (const day of streamStepRows(db, run, columns)) rows.push(...day)
  return buildTableFile(name, 'xlsx', header, rows)
}

async function* streamStepLines(db: Db, run: RunRow, columns: StepColumn[], header: string[]) {
  yield Buffer.from(writeCsv(header, []))
  for await (const day of streamStepRows(db, run, columns))
    yield Buffer.from(writeCsv([], day).slice(EMPTY_HEADER_LENGTH))
}
/** The byte order mark and line end of a table without a header. */
const EMPTY_HEADER_LENGTH = 3

async function* streamStepRows(db: Db, run: RunRow, columns: StepColumn[]): AsyncGenerator<SpreadsheetCell[][]> {
  for (const { from, to } of splitIntoMonths({ from: run.startsOn, to: run.endsOn })) {
    const stored = await loadRunDayRows(db, run, from, to)
    for (const day of Map.groupBy(stored, (row) => row.day).values()) if (day[0]) yield toStepRows(day, day[0], columns)
  }
}

function toStepRows(stored: StoredRunDay[], first: StoredRunDay, columns: StepColumn[]): SpreadsheetCell[][] {
  const byPoint = new Map(stored.map(({ pointId, allocated }) => [pointId, allocated]))
  const step = getStoredStep(first)
  return Array.from(first.allocated, (_, at) => [
    formatInstant(dayStart(first.day) + at * step),
    ...columns.map(({ id }) => {
      const value = byPoint.get(id)?.[at] ?? -1
      return value < 0 ? null : Math.round((value * 1000) / 60) / 1_000_000
    }),
  ])
}

/** With its UTC offset, so that the repeated hour in October is unambiguous. */
function formatInstant(minute: number): string {
  const offset = offsetAt(minute)
  const local = new Date((minute + offset) * 60_000).toISOString().slice(0, 16)
  return `${local}+0${offset / 60}:00`
}
