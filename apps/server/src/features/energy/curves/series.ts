import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step, sumKnown } from '@voisol/energy/series'
import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { formatMinuteAsIso, unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { createUnknownCurve, isWithinRanges, type OpenDayRange, placeReadings } from './aligned.ts'
import { getCommonStepOfTwo } from './merge.ts'
import { requireDayRange } from './range.ts'
import { loadCurves } from './read.ts'
import { listReadablePoints } from './scope.ts'

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
