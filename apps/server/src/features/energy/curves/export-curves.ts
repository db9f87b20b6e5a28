import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FileReply } from '@voisol/contract/endpoint'
import { addDays, dayStart, daysBetween, listDays, localTime, offsetAt, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step } from '@voisol/energy/series'
import { formatFrenchClock, formatFrenchDay } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { writeXlsxStream } from 'hucre/xlsx'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { formatMinuteAsIso } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { XLSX_TYPE } from '../../../files/xlsx.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getCommonStepOfTwo } from './merge-curve-days.ts'
import { type AlignedCurve, isWithinRanges, loadAlignedCurves, type OpenDayRange } from './read-curves.ts'
import { listReadablePoints, type ReadablePoint, requireDayRange } from './readable-points.ts'

type ExportCurvesQuery = {
  from: string
  to: string
  operationId?: string | undefined
  points?: string[] | undefined
  format: 'csv-excel' | 'csv-data' | 'xlsx' | 'json'
}

const MAX_EXPORT_DAYS = 366
const DEFAULT_STEP: Step = 15
/** A year of quarter-hours for fifty points: a larger workbook opens too slowly to be useful. */
const MAX_WORKBOOK_CELLS = 366 * 96 * 50

/** Exports curves. Text formats are streamed, whatever their length. */
export async function exportCurves(db: Db, actor: Actor, query: ExportCurvesQuery): Promise<FileReply> {
  const extract = await loadExtract(db, actor, query)
  const name = `courbes-de-charge-${query.from}-${query.to}`
  switch (query.format) {
    case 'csv-excel':
      return { name: `${name}.csv`, content: toByteStream(streamCsv(extract, EXCEL_DIALECT)) }
    case 'csv-data':
      return { name: `${name}-donnees.csv`, content: toByteStream(streamCsv(extract, DATA_DIALECT)) }
    case 'json':
      return {
        name: `${name}.json`,
        type: 'application/json; charset=utf-8',
        content: toByteStream(streamJson(extract)),
      }
    case 'xlsx':
      return { name: `${name}.xlsx`, type: XLSX_TYPE, content: buildWorkbook(extract) }
  }
}

async function loadExtract(
  db: Db,
  actor: Actor,
  { from, to, operationId, points: pointIds }: ExportCurvesQuery,
): Promise<CurveExtract> {
  requireDayRange(from, to, MAX_EXPORT_DAYS)
  if (actor.space === 'office' && !operationId && !pointIds?.length)
    throw fieldError('points', 'Choisissez une opération ou des points à exporter.')
  if (operationId) await requireVisibleOperation(db, actor, operationId)
  const found = await listReadablePoints(db, actor, { operationId, pointIds: pointIds?.length ? pointIds : undefined })
  const points = found.filter(({ spans }) => spans.some((span) => span.from < to && (span.to ?? '9') > from))
  if (!points.length) throw fieldError('points', 'Aucun point à exporter sur cette période.')
  if (points.length > 1000)
    throw fieldError('points', 'Au plus 1\u202f000 points par fichier\u00a0: choisissez-en moins.')
  const ids = points.map(({ id }) => id)
  const { rows } = await db.execute<{ step: Step }>(sql`
    select distinct step from curve_days where company_id = ${actor.companyId} and point_id = any(${sql.param(ids)}::uuid[])
      and day >= ${from} and day < ${to} and superseded_at is null`)
  const step = rows.length ? rows.map((row) => row.step).reduce(getCommonStepOfTwo) : DEFAULT_STEP
  return { db, companyId: actor.companyId, points, from, to, step }
}

const toByteStream = (parts: AsyncIterable<string>) => Readable.from(encodeParts(parts), { objectMode: false })

async function* encodeParts(parts: AsyncIterable<string>) {
  for await (const part of parts) yield Buffer.from(part)
}

async function* streamCsv(extract: CurveExtract, dialect: CurveCsvDialect) {
  yield `${dialect.mark}${buildTitles(extract, dialect).join(';')}\r\n`
  for await (const slice of streamSlices(extract)) yield formatLines(slice, extract.step, dialect)
}

function buildWorkbook(extract: CurveExtract): Readable {
  const { points, from, to, step } = extract
  const lines = daysBetween(from, to) * (1440 / step)
  if (lines * points.length > MAX_WORKBOOK_CELLS)
    throw fieldError(
      'format',
      'Un classeur Excel tient au plus une année de 50 points au pas de 15 minutes. Choisissez moins de points, une période plus courte, ou le format CSV.',
    )
  return Readable.from(
    writeXlsxStream(streamWorkbookRows(extract), { name: 'Courbes de charge', freezePane: { rows: 1 } }),
  )
}

/** Texts are typed as text in a workbook, so none is taken for a formula. */
async function* streamWorkbookRows(extract: CurveExtract): AsyncGenerator<(string | number | null)[]> {
  yield buildTitles(extract, EXCEL_DIALECT)
  for await (const { startsAt, curves } of streamSlices(extract)) {
    for (let at = 0; at < (curves[0]?.length ?? 0); at++)
      yield [
        ...EXCEL_DIALECT.stamp(startsAt + at * extract.step),
        ...curves.map((watts) => ((watts[at] ?? MISSING) < 0 ? null : (watts[at] ?? 0) / 1000)),
      ]
    // The writer processes a slice without a pause: other requests are served in between.
    await setImmediate()
  }
}

type CurveExtract = { db: Db; companyId: number; points: ReadablePoint[]; from: string; to: string; step: Step }

/** Number of values in memory at a time. */
const MAX_VALUES_IN_MEMORY = 60_000

/** Removes the days that the reader may not see. */
function hideOutsideRanges(
  { values, marks }: AlignedCurve,
  ranges: OpenDayRange[],
  from: string,
  to: string,
  step: Step,
): void {
  let at = 0
  for (const day of listDays(from, to)) {
    const next = at + stepsOfDay(day, step)
    if (!isWithinRanges(ranges, day)) {
      values.fill(MISSING, at, next)
      marks.fill(0, at, next)
    }
    at = next
  }
}

/** Watts of the points over [from, to), exact since the step is the points' own. */
async function loadWatts(extract: CurveExtract): Promise<Int32Array[]> {
  const { db, companyId, points, from, to, step } = extract
  const ids = points.map(({ id }) => id)
  const curves = await loadAlignedCurves(db, companyId, ids, from, to, step)
  return points.map(({ id, spans }) => {
    const curve = curves.get(id)
    if (!curve) return new Int32Array(0)
    hideOutsideRanges(curve, spans, from, to, step)
    return curve.values.map((value) => (value < 0 ? MISSING : value / step))
  })
}

/** The whole period in slices of some days. */
async function* streamSlices(extract: CurveExtract): AsyncGenerator<CurveSlice> {
  const perDay = extract.points.length * (1440 / extract.step)
  const days = Math.max(1, Math.min(31, Math.floor(MAX_VALUES_IN_MEMORY / perDay)))
  for (let from = extract.from; from < extract.to; from = addDays(from, days)) {
    const end = addDays(from, days)
    const to = end < extract.to ? end : extract.to
    yield { startsAt: dayStart(from), curves: await loadWatts({ ...extract, from, to }) }
  }
}

async function* streamJson(extract: CurveExtract): AsyncGenerator<string> {
  const { from, to, step, points } = extract
  const head = { from, to, startsAt: formatMinuteAsIso(dayStart(from)), stepMinutes: step, unit: 'W' }
  yield `${JSON.stringify(head).slice(0, -1)},"points":[`
  const group = Math.max(1, Math.floor(MAX_VALUES_IN_MEMORY / ((dayStart(to) - dayStart(from)) / step)))
  for (let at = 0; at < points.length; at += group) {
    const some = points.slice(at, at + group)
    const curves = await loadWatts({ ...extract, points: some })
    const texts = some.map(({ prm, label, direction }, n) => {
      const watts = Array.from(curves[n] ?? [], (value) => (value < 0 ? null : value))
      return JSON.stringify({ prm, label, direction, watts })
    })
    yield `${at > 0 ? ',' : ''}${texts.join()}`
  }
  yield ']}\n'
}

type CurveCsvDialect = {
  /** The byte order mark that makes spreadsheets read UTF-8. */
  mark: string
  stampTitles: string[]
  unit: string
  stamp(minute: number): string[]
  value(watts: number): string
}
/** Watts of each point over the same steps, MISSING where unknown. */
type CurveSlice = { startsAt: number; curves: Int32Array[] }

/** For French spreadsheets. The UTC offset distinguishes the repeated hour in autumn. */
const EXCEL_DIALECT: CurveCsvDialect = {
  mark: '\uFEFF',
  stampTitles: ['Début', 'Heure légale'],
  unit: 'kW',
  stamp: (minute) => {
    const { day, minuteOfDay } = localTime(minute)
    return [`${formatFrenchDay(day)} ${formatFrenchClock(minuteOfDay)}`, offsetAt(minute) === 120 ? 'été' : 'hiver']
  },
  value: (watts) => String(watts / 1000).replace('.', ','),
}

/** For programs, and for importing again: instants with UTC offset, whole watts. */
const DATA_DIALECT: CurveCsvDialect = {
  mark: '',
  stampTitles: ['Horodate'],
  unit: 'W',
  stamp: (minute) => {
    const offset = offsetAt(minute)
    const wall = new Date((minute + offset) * 60_000).toISOString().slice(0, 19)
    return [`${wall}+0${offset / 60}:00`]
  },
  value: String,
}

const DIRECTION_LABELS = { consumption: 'consommation', production: 'production' } as const

const buildTitles = ({ points }: { points: ReadablePoint[] }, { stampTitles, unit }: CurveCsvDialect) => [
  ...stampTitles,
  ...points.map(({ prm, direction }) => `${prm} ${DIRECTION_LABELS[direction]} (${unit})`),
]

function formatLines({ startsAt, curves }: CurveSlice, step: Step, { stamp, value }: CurveCsvDialect): string {
  const lines: string[] = []
  for (let at = 0; at < (curves[0]?.length ?? 0); at++) {
    const cells = stamp(startsAt + at * step)
    for (const watts of curves) {
      const known = watts[at] ?? MISSING
      cells.push(known < 0 ? '' : value(known))
    }
    lines.push(`${cells.join(';')}\r\n`)
  }
  return lines.join('')
}
