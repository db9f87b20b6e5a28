import { Readable } from 'node:stream'
import type { FileReply } from '@voisol/contract/endpoint'
import { addDays, dayStart, offsetAt } from '@voisol/energy/calendar'
import { TIME_CLASSES } from '@voisol/energy/time-classes'
import { sideLabel } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { type Cell, writeCsv } from '../../../files/csv.ts'
import { tableFile } from '../../../files/table-file.ts'
import { AppError } from '../../../http/errors.ts'
import { monthsOf } from './compute.ts'
import { runDays, runPairs, runPoints } from './results.ts'
import type { RunRow } from './runs.ts'
import { stepOf } from './steps.ts'
import { readDays, type StoredDay } from './stored-days.ts'

type Level = 'points' | 'days' | 'pairs' | 'steps'
type Format = 'csv' | 'xlsx'

/** Kilowatt-hours, rounded here and nowhere before. */
const kwh = (wattMinutes: number | undefined) => Math.round((wattMinutes ?? 0) / 60) / 1000

export function runFile(db: Db, run: RunRow, level: Level, format: Format): Promise<FileReply> {
  const name = `repartition-${run.startsOn}-${addDays(run.endsOn, -1)}`
  if (level === 'points') return pointsFile(db, run, name, format)
  if (level === 'days') return daysFile(db, run, `${name}-jours`, format)
  if (level === 'pairs') return pairsFile(db, run, `${name}-flux`, format)
  return stepsFile(db, run, `${name}-pas`, format)
}

async function pointsFile(db: Db, run: RunRow, name: string, format: Format) {
  const header = ['PRM', 'Nom', 'Sens', 'Total (kWh)', 'Part locale (kWh)', 'Reste (kWh)']
  const classes = TIME_CLASSES.flatMap((name) => [`${name} total (kWh)`, `${name} local (kWh)`])
  const rows = (await runPoints(db, run)).map((point): Cell[] => [
    point.prm,
    point.label,
    sideLabel(point),
    kwh(point.total),
    kwh(point.local),
    kwh(point.total - point.local),
    ...TIME_CLASSES.flatMap((name) => [kwh(point.classes[name]?.total), kwh(point.classes[name]?.local)]),
  ])
  return tableFile(name, format, [...header, ...classes], rows)
}

async function daysFile(db: Db, run: RunRow, name: string, format: Format) {
  const header = ['Jour', 'Production (kWh)', 'Affecté (kWh)', 'Surplus (kWh)', 'Consommation (kWh)']
  const days = await runDays(db, run)
  const hasStorage = days.some(({ storage }) => storage)
  const rows = days.map(({ storage, ...day }): Cell[] => [
    day.day.split('-').reverse().join('/'),
    ...[day.produced, day.allocated, day.surplus, day.consumed, day.complement].map(kwh),
    ...(hasStorage ? STORED.map(({ name }) => kwh(storage?.[name])) : []),
    day.excluded,
  ])
  const titles = hasStorage ? STORED.map(({ title }) => `${title} (kWh)`) : []
  return tableFile(name, format, [...header, 'Complément (kWh)', ...titles, 'Pas écartés'], rows)
}

const STORED = [
  { name: 'charged', title: 'Charge des batteries' },
  { name: 'stored', title: 'Stocké' },
  { name: 'released', title: 'Restitué' },
  { name: 'restored', title: 'Restitué et affecté' },
] as const

async function pairsFile(db: Db, run: RunRow, name: string, format: Format) {
  const points = new Map((await runPoints(db, run)).map((point) => [point.pointId, point]))
  const header = ['PRM producteur', 'Producteur', 'PRM consommateur', 'Consommateur', 'Énergie (kWh)']
  const rows = (await runPairs(db, run)).map(({ producerId, pointId, energy, classes }): Cell[] => {
    const [from, to] = [points.get(producerId), points.get(pointId)]
    const parts = TIME_CLASSES.map((name) => kwh(classes[name]))
    return [from?.prm, from?.label, to?.prm, to?.label, kwh(energy), ...parts]
  })
  return tableFile(name, format, [...header, ...TIME_CLASSES.map((name) => `${name} (kWh)`)], rows)
}

const MAX_CELLS = 500_000
type Column = { id: string; title: string }

async function stepsFile(db: Db, run: RunRow, name: string, format: Format): Promise<FileReply> {
  const columns = (await runPoints(db, run)).map(({ pointId, prm, direction }) => ({
    id: pointId,
    title: `${prm} ${direction === 'production' ? 'partagé' : 'affecté'} (kWh)`,
  }))
  const header = ['Début du pas', ...columns.map(({ title }) => title)]
  if (format === 'csv') return { name: `${name}.csv`, content: Readable.from(stepLines(db, run, columns, header)) }
  // The run's own count of steps, before anything is read.
  const { steps = 0 } = run.counts as { steps?: number }
  if (steps * columns.length > MAX_CELLS)
    throw new AppError('invalid', {
      message: 'Ce résultat est trop grand pour un classeur : exportez-le au format CSV.',
    })
  const rows: Cell[][] = []
  for await (const day of stepRows(db, run, columns)) rows.push(...day)
  return tableFile(name, 'xlsx', header, rows)
}

async function* stepLines(db: Db, run: RunRow, columns: Column[], header: string[]) {
  yield Buffer.from(writeCsv(header, []))
  for await (const day of stepRows(db, run, columns)) yield Buffer.from(writeCsv([], day).slice(HEADLESS))
}
/** The mark and the empty line that a table without a header begins with. */
const HEADLESS = 3

async function* stepRows(db: Db, run: RunRow, columns: Column[]): AsyncGenerator<Cell[][]> {
  for (const { from, to } of monthsOf({ from: run.startsOn, to: run.endsOn })) {
    const stored = await readDays(db, run, from, to)
    for (const day of Map.groupBy(stored, (row) => row.day).values()) if (day[0]) yield dayRows(day, day[0], columns)
  }
}

function dayRows(stored: StoredDay[], first: StoredDay, columns: Column[]): Cell[][] {
  const byPoint = new Map(stored.map(({ pointId, allocated }) => [pointId, allocated]))
  const step = stepOf(first)
  return Array.from(first.allocated, (_, at) => [
    stamp(dayStart(first.day) + at * step),
    ...columns.map(({ id }) => {
      const value = byPoint.get(id)?.[at] ?? -1
      return value < 0 ? null : Math.round((value * 1000) / 60) / 1_000_000
    }),
  ])
}

/** With its offset, so that the hour that comes twice in October stays two. */
function stamp(minute: number): string {
  const offset = offsetAt(minute)
  const local = new Date((minute + offset) * 60_000).toISOString().slice(0, 16)
  return `${local}+0${offset / 60}:00`
}
