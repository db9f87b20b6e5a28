import type { ImportProblem, ImportSeries } from '@voisol/contract/curves'
import { addDays, dayStart } from '@voisol/energy/calendar'
import type {
  CurveDay,
  CurveFileChoices,
  CurveFileFormat,
  Direction,
  ParsedFile,
  ParsedSeries,
} from '@voisol/file-formats/curve-file-types'
import { formatFrenchNumber, formatFrenchTime, NBSP } from '@voisol/file-formats/french'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointNameOnDaySql } from '../../../core/point-names.ts'
import type { DayReadings, PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { computeCurveDayFacts } from './curve-day.ts'
import { overwritesMeasured, planCurveDays } from './merge-curve-days.ts'

export type SeriesView = z.infer<typeof ImportSeries>
type ProblemView = z.infer<typeof ImportProblem>
export type FileReview = {
  series: SeriesView[]
  problems: ProblemView[]
  counts: Record<string, number>
  /** What can be stored, by point. */
  rows: PointDayReadings[]
}

const MAX_LISTED_PROBLEMS = 500

type PointWithName = typeof points.$inferSelect & { seat: string }
type NewsCounters = { series: SeriesView[]; rows: PointDayReadings[]; asks: boolean }

function createProblemList() {
  const problems: ProblemView[] = []
  const counts: Record<string, number> = {}
  return {
    problems,
    counts,
    error(code: 'unknown-point' | 'impossible', prm: string, message: () => string, line = 0) {
      counts[code] = (counts[code] ?? 0) + 1
      if (problems.length < MAX_LISTED_PROBLEMS)
        problems.push({ line, code, severity: 'error', prm, message: message() })
    },
  }
}
type ProblemList = ReturnType<typeof createProblemList>

/** Matches a file's readings with the company's points: whose they are, which are impossible, and which are new. */
export async function reviewCurveFile(
  db: Db,
  companyId: number,
  file: ParsedFile,
  choices: CurveFileChoices,
): Promise<FileReview> {
  const pointsByPrm = await loadPointsByPrm(db, companyId, file)
  const problemList = createProblemList()
  const rows: PointDayReadings[] = []
  const series = file.series.map((one) => {
    const found = matchPoint(one, pointsByPrm.get(one.prm) ?? [], choices, problemList)
    const days = found ? one.days.map((day) => removeImpossibleValues(day, found, problemList)) : one.days
    if (found) for (const day of days) rows.push(toCurveDayRow(found.id, day))
    return toSeriesView(one, days, found, choices)
  })
  await countNewDays(db, companyId, { series, rows, asks: requiresOverwriteConsent(file, choices) })
  const problems = [...problemList.problems, ...file.problems]
    .sort((a, b) => a.line - b.line)
    .slice(0, MAX_LISTED_PROBLEMS)
  return { series, rows, problems, counts: { ...file.counts, ...problemList.counts } }
}

async function loadPointsByPrm(
  db: Db,
  companyId: number,
  { series }: ParsedFile,
): Promise<Map<string, PointWithName[]>> {
  const prms = [...new Set(series.map(({ prm }) => prm))]
  const rows = prms.length
    ? await db
        .select({ ...getTableColumns(points), seat: pointNameOnDaySql(companyId, sql`points`) })
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.prm, prms)))
    : []
  return Map.groupBy(rows, ({ prm }) => prm)
}

const DIRECTION_LABELS: Record<string, string> = { consumption: 'soutirage', production: 'injection' }

/** Matches by the direction named in the file or by the person, otherwise by the only known one. */
function matchPoint(
  { prm, direction }: ParsedSeries,
  known: PointWithName[],
  choices: CurveFileChoices,
  notes: ProblemList,
) {
  if (prm === '') return undefined
  const wantedDirection = direction ?? choices.direction
  const found = wantedDirection
    ? known.find((point) => point.direction === wantedDirection)
    : known.length === 1
      ? known[0]
      : undefined
  if (found) return found
  notes.error('unknown-point', prm, () => {
    if (!known.length)
      return `Le PRM ${prm} n’est pas un point de votre organisation. Ajoutez-le à une opération, puis relisez le fichier.`
    if (!wantedDirection)
      return `Le PRM ${prm} est connu en soutirage et en injection${NBSP}: choisissez le sens de cette courbe.`
    return `Le PRM ${prm} est connu en ${DIRECTION_LABELS[known[0]?.direction ?? '']}, et non en ${DIRECTION_LABELS[wantedDirection]}.`
  })
  return undefined
}

/** Values impossible for the connection are left missing. */
function removeImpossibleValues(day: CurveDay, point: PointWithName, notes: ProblemList): CurveDay {
  const limit = getConnectionLimit(point)
  if (!limit || !day.watts.some((value) => isBeyondLimit(value, limit))) return day
  const watts = day.watts.map((value, at) => {
    if (!isBeyondLimit(value, limit)) return value
    const line = day.lines[at] ?? 0
    // A coarser value covers several steps: it is reported once.
    if (at > 0 && day.lines[at - 1] === line) return -1
    const explain = () => {
      const when = formatFrenchTime(dayStart(day.day) + at * day.step)
      const what = point.direction === 'production' ? 'la puissance crête' : 'la puissance souscrite'
      return `Le ${when}, PRM ${point.prm}${NBSP}: ${formatFrenchNumber(value)}${NBSP}W dépasse 1,2${NBSP}fois ${what} (${formatFrenchNumber(limit / 1000)}${NBSP}${point.direction === 'production' ? 'kWc' : 'kVA'}). La valeur est laissée manquante.`
    }
    notes.error('impossible', point.prm, explain, line)
    return -1
  })
  return { ...day, watts, quality: day.quality.map((mark, at) => ((watts[at] ?? -1) < 0 ? 0 : mark)) }
}

const toCurveDayRow = (pointId: string, { day, step, watts, quality }: CurveDay): PointDayReadings => ({
  pointId,
  day,
  step,
  watts,
  marks: quality,
  quality: 1,
})

function toSeriesView(
  one: ParsedSeries,
  days: CurveDay[],
  point: PointWithName | undefined,
  choices: CurveFileChoices,
): SeriesView {
  let [readings, missing, energy] = [0, 0, 0]
  for (const { watts, step } of days)
    for (const value of watts)
      if (value < 0) missing++
      else {
        readings++
        energy += value * step
      }
  const direction: Direction | null = one.direction ?? (point?.direction as Direction) ?? choices.direction ?? null // one of the two
  return {
    prm: one.prm,
    direction,
    pointId: point?.id ?? null,
    pointLabel: point?.seat ?? '',
    ...(point?.storage && { storage: true }),
    from: days[0]?.day ?? '1970-01-01',
    to: addDays(days.at(-1)?.day ?? '1970-01-01', 1),
    days: days.length,
    newDays: 0,
    changedDays: 0,
    sameDays: 0,
    readings,
    missing,
    energyWh: Math.round(energy / 60),
    overwrittenDays: 0,
    overwrittenBeforeWh: 0,
    overwrittenAfterWh: 0,
  }
}

async function countNewDays(db: Db, companyId: number, { series, rows, asks }: NewsCounters): Promise<void> {
  const byPoint = new Map(series.map((one) => [one.pointId, one]))
  for await (const days of planCurveDays(db, companyId, rows))
    for (const { row, current, next } of days) {
      const one = byPoint.get(row.pointId)
      if (!one) continue
      one[next ? (current ? 'changedDays' : 'newDays') : 'sameDays']++
      if (asks && current && next && overwritesMeasured(current, next)) countOverwritten(one, current, next)
    }
}

function countOverwritten(one: SeriesView, current: DayReadings, next: DayReadings): void {
  one.overwrittenDays++
  one.overwrittenBeforeWh += computeCurveDayFacts(current).energy / 60
  one.overwrittenAfterWh += computeCurveDayFacts(next).energy / 60
}

/** Distributor flows name their point and are meant to correct earlier values; any other file needs consent. */
const DISTRIBUTOR_FORMATS: CurveFileFormat[] = ['r63', 'hdm', 'r50', 'r4x']
const requiresOverwriteConsent = ({ detected }: ParsedFile, { prm }: CurveFileChoices) =>
  prm !== undefined || !DISTRIBUTOR_FORMATS.includes(detected.format)

/** Mean power above this multiple of the connection's power cannot be real. */
const CONNECTION_MARGIN = 1.2

type ConnectionPower = Pick<typeof points.$inferSelect, 'direction' | 'subscribedVa' | 'peakWatts'>

/** The power of the connection in watts, if known. */
export const getConnectionLimit = ({ direction, subscribedVa, peakWatts }: ConnectionPower): number | null =>
  (direction === 'production' ? peakWatts : subscribedVa) || null

export const isBeyondLimit = (watts: number, limit: number): boolean => watts > limit * CONNECTION_MARGIN
