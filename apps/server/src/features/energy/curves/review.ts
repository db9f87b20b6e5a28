import type { ImportProblem, ImportSeries } from '@voisol/contract/curves'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointSeat } from '../../../core/point-label.ts'
import type { DayRow, Readings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import type { Choices, CurveDay, Direction, Format, ParsedFile, ParsedSeries } from '../../../formats/types.ts'
import { frenchNumber, frenchTime, NBSP } from '../../../french.ts'
import { isBeyond, limitOf } from './connection.ts'
import { factsOf } from './day.ts'
import { overwrites } from './merge.ts'
import { planDays } from './plan.ts'

export type SeriesView = z.infer<typeof ImportSeries>
export type ProblemView = z.infer<typeof ImportProblem>
export type Review = {
  series: SeriesView[]
  problems: ProblemView[]
  counts: Record<string, number>
  /** What can be stored, by point. */
  rows: DayRow[]
}

export const MOST_PROBLEMS = 500

type Point = typeof points.$inferSelect & { seat: string }
type News = { series: SeriesView[]; rows: DayRow[]; asks: boolean }

function createNotes() {
  const problems: ProblemView[] = []
  const counts: Record<string, number> = {}
  return {
    problems,
    counts,
    error(code: 'unknown-point' | 'impossible', prm: string, message: () => string, line = 0) {
      counts[code] = (counts[code] ?? 0) + 1
      if (problems.length < MOST_PROBLEMS) problems.push({ line, code, severity: 'error', prm, message: message() })
    },
  }
}
type Notes = ReturnType<typeof createNotes>

/** What the readings of a file are to the company: whose they are, which cannot be, and which are new. */
export async function reviewFile(db: Db, companyId: number, file: ParsedFile, choices: Choices): Promise<Review> {
  const known = await pointsOf(db, companyId, file)
  const notes = createNotes()
  const rows: DayRow[] = []
  const series = file.series.map((one) => {
    const found = settlePoint(one, known.get(one.prm) ?? [], choices, notes)
    const days = found ? one.days.map((day) => possible(day, found, notes)) : one.days
    if (found) for (const day of days) rows.push(toRow(found.id, day))
    return describe(one, days, found, choices)
  })
  await countNews(db, companyId, { series, rows, asks: asksFirst(file, choices) })
  const problems = [...notes.problems, ...file.problems].sort((a, b) => a.line - b.line).slice(0, MOST_PROBLEMS)
  return { series, rows, problems, counts: { ...file.counts, ...notes.counts } }
}

async function pointsOf(db: Db, companyId: number, { series }: ParsedFile): Promise<Map<string, Point[]>> {
  const prms = [...new Set(series.map(({ prm }) => prm))]
  const rows = prms.length
    ? await db
        .select({ ...getTableColumns(points), seat: pointSeat(companyId, sql`points`) })
        .from(points)
        .where(and(eq(points.companyId, companyId), inArray(points.prm, prms)))
    : []
  return Map.groupBy(rows, ({ prm }) => prm)
}

const SIDES: Record<string, string> = { consumption: 'soutirage', production: 'injection' }

/** By the direction that the file or the person names, else by the only one that is known. */
function settlePoint({ prm, direction }: ParsedSeries, known: Point[], choices: Choices, notes: Notes) {
  if (prm === '') return undefined
  const wanted = direction ?? choices.direction
  const found = wanted ? known.find((point) => point.direction === wanted) : known.length === 1 ? known[0] : undefined
  if (found) return found
  notes.error('unknown-point', prm, () => {
    if (!known.length)
      return `Le PRM ${prm} n’est pas un point de votre organisation. Ajoutez-le à une opération, puis relisez le fichier.`
    if (!wanted)
      return `Le PRM ${prm} est connu en soutirage et en injection${NBSP}: choisissez le sens de cette courbe.`
    return `Le PRM ${prm} est connu en ${SIDES[known[0]?.direction ?? '']}, et non en ${SIDES[wanted]}.`
  })
  return undefined
}

/** What the connection cannot have carried is left missing. */
function possible(day: CurveDay, point: Point, notes: Notes): CurveDay {
  const limit = limitOf(point)
  if (!limit || !day.watts.some((value) => isBeyond(value, limit))) return day
  const watts = day.watts.map((value, at) => {
    if (!isBeyond(value, limit)) return value
    const line = day.lines[at] ?? 0
    // A coarser value stands in several steps: it is one reading, said once.
    if (at > 0 && day.lines[at - 1] === line) return -1
    const explain = () => {
      const when = frenchTime(dayStart(day.day) + at * day.step)
      const what = point.direction === 'production' ? 'la puissance crête' : 'la puissance souscrite'
      return `Le ${when}, PRM ${point.prm}${NBSP}: ${frenchNumber(value)}${NBSP}W dépasse 1,2${NBSP}fois ${what} (${frenchNumber(limit / 1000)}${NBSP}${point.direction === 'production' ? 'kWc' : 'kVA'}). La valeur est laissée manquante.`
    }
    notes.error('impossible', point.prm, explain, line)
    return -1
  })
  return { ...day, watts, quality: day.quality.map((mark, at) => ((watts[at] ?? -1) < 0 ? 0 : mark)) }
}

const toRow = (pointId: string, { day, step, watts, quality }: CurveDay): DayRow => ({
  pointId,
  day,
  step,
  watts,
  marks: quality,
  quality: 1,
})

function describe(one: ParsedSeries, days: CurveDay[], point: Point | undefined, choices: Choices): SeriesView {
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

async function countNews(db: Db, companyId: number, { series, rows, asks }: News): Promise<void> {
  const byPoint = new Map(series.map((one) => [one.pointId, one]))
  for await (const days of planDays(db, companyId, rows))
    for (const { row, current, next } of days) {
      const one = byPoint.get(row.pointId)
      if (!one) continue
      one[next ? (current ? 'changedDays' : 'newDays') : 'sameDays']++
      if (asks && current && next && overwrites(current, next)) countOverwritten(one, current, next)
    }
}

function countOverwritten(one: SeriesView, current: Readings, next: Readings): void {
  one.overwrittenDays++
  one.overwrittenBeforeWh += factsOf(current).energy / 60
  one.overwrittenAfterWh += factsOf(next).energy / 60
}

/** The distributor's flows name their point and are by nature corrected by later ones; any other file asks first. */
const FLOWS: Format[] = ['r63', 'hdm', 'r50', 'r4x']
const asksFirst = ({ detected }: ParsedFile, { prm }: Choices) => prm !== undefined || !FLOWS.includes(detected.format)
