import type { DayVersion } from '@voisol/contract/curves'
import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step, sumKnown } from '@voisol/energy/series'
import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { formatMinuteAsIso, type ReadingQuality, unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { getMarkAt } from './curve-day.ts'
import { getCommonStepOfTwo } from './merge-curve-days.ts'
import { createUnknownCurve, isWithinRanges, loadCurves, type OpenDayRange, placeReadings } from './read-curves.ts'
import { listReadablePoints, requireDayRange } from './readable-points.ts'

const DEFAULT_STEP: Step = 15
type PointCurveQuery = { from: string; to: string; knownAt?: string | undefined }

/** A meter's readings over a period, at its finest step there. */
export async function loadPointCurve(db: Db, actor: Actor, id: string, { from, to, knownAt }: PointCurveQuery) {
  const [point] = await listReadablePoints(db, actor, { pointIds: [id] })
  requireDayRange(from, to)
  const spans = point?.spans ?? []
  const at = knownAt ? new Date(knownAt) : undefined
  const curves = await loadCurves(db, actor.companyId, [id], from, to, { knownAt: at })
  const days = (curves.get(id) ?? []).filter(({ day }) => isWithinRanges(spans, day))
  const step = days.length ? days.map((day) => day.step).reduce(getCommonStepOfTwo) : DEFAULT_STEP
  const origin = dayStart(from)
  const curve = createUnknownCurve(from, to, step)
  for (const day of days) placeReadings(curve, day, dayStart(day.day), (dayStart(day.day) - origin) / step, step)
  const received = new Set(days.map(({ day }) => day))
  const expected = listDays(from, to)
    .filter((day) => received.has(day) || (isWithinRanges(spans, day) && day < getToday()))
    .reduce((sum, day) => sum + stepsOfDay(day, step), 0)
  return {
    startsAt: formatMinuteAsIso(origin),
    step,
    watts: Array.from(curve.values, (value) => (value < 0 ? null : value / step)),
    marks: Array.from(curve.marks),
    energyWh: Math.round(sumKnown(curve.values) / 60),
    present: curve.values.reduce((sum, value) => sum + (value < 0 ? 0 : 1), 0),
    expected,
    receivedUntil: await loadReceivedUntil(db, actor.companyId, id, spans, at),
  }
}

const isInRange = ({ from, to }: OpenDayRange): SQL | undefined =>
  and(from === '' ? sql`true` : sql`${curveDays.day} >= ${from}`, to === null ? undefined : lt(curveDays.day, to))

/** The end of the last known step. */
async function loadReceivedUntil(
  db: Db,
  companyId: number,
  pointId: string,
  spans: OpenDayRange[],
  knownAt: Date | undefined,
) {
  const known = knownAt
    ? and(
        sql`${curveDays.receivedAt} <= ${knownAt}`,
        or(isNull(curveDays.supersededAt), gt(curveDays.supersededAt, knownAt)),
      )
    : isNull(curveDays.supersededAt)
  const [last] = await db
    .select({ day: curveDays.day, step: curveDays.step, watts: curveDays.watts })
    .from(curveDays)
    .where(
      and(
        eq(curveDays.companyId, companyId),
        eq(curveDays.pointId, pointId),
        gt(curveDays.present, 0),
        known,
        or(sql`false`, ...spans.map(isInRange)),
      ),
    )
    .orderBy(desc(curveDays.day))
    .limit(1)
  if (!last) return null
  const steps = unpackInts(last.watts).findLastIndex((value) => value !== MISSING) + 1
  return formatMinuteAsIso(dayStart(last.day) + steps * last.step)
}

type DayVersionView = z.infer<typeof DayVersion>

function toDayVersion(row: typeof curveDays.$inferSelect): DayVersionView {
  const readings = {
    watts: unpackInts(row.watts),
    marks: row.marks,
    step: row.step as Step, // as stored
    quality: row.quality as ReadingQuality, // as stored
  }
  return {
    version: row.version,
    step: row.step,
    watts: Array.from(readings.watts, (value) => (value < 0 ? null : value)),
    marks: Array.from(readings.watts, (_, at) => getMarkAt(readings, at)),
    energyWh: Math.round(row.energy / 60),
    present: row.present,
    expected: row.expected,
    source: row.source as DayVersionView['source'], // as stored
    receivedAt: row.receivedAt.toISOString(),
    supersededAt: row.supersededAt?.toISOString() ?? null,
    importId: row.importId,
  }
}

/** Every version received for a day, latest first. */
export async function listDayVersions(db: Db, actor: Actor, id: string, day: string) {
  const [point] = await listReadablePoints(db, actor, { pointIds: [id] })
  if (!point || !isWithinRanges(point.spans, day)) throw new AppError('not-found')
  const rows = await db
    .select()
    .from(curveDays)
    .where(and(eq(curveDays.companyId, actor.companyId), eq(curveDays.pointId, id), eq(curveDays.day, day)))
    .orderBy(desc(curveDays.version))
  return { day, startsAt: formatMinuteAsIso(dayStart(day)), items: rows.map(toDayVersion) }
}
