import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { MISSING, type Step, sumKnown } from '@voisol/energy/series'
import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { instantOf, intsOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { type DaySpan, isWithin, nothingKnown, place } from './aligned.ts'
import { commonStep } from './merge.ts'
import { requireRange } from './range.ts'
import { readCurves } from './read.ts'
import { readablePoints } from './scope.ts'

const USUAL_STEP: Step = 15
type Query = { from: string; to: string; knownAt?: string | undefined }

/** What the meter said over a period, at the finest of its steps there. */
export async function pointCurve(db: Db, actor: Actor, id: string, { from, to, knownAt }: Query) {
  const [point] = await readablePoints(db, actor, { pointIds: [id] })
  requireRange(from, to)
  const spans = point?.spans ?? []
  const at = knownAt ? new Date(knownAt) : undefined
  const curves = await readCurves(db, actor.companyId, [id], from, to, { knownAt: at })
  const days = (curves.get(id) ?? []).filter(({ day }) => isWithin(spans, day))
  const step = days.length ? days.map((day) => day.step).reduce(commonStep) : USUAL_STEP
  const origin = dayStart(from)
  const curve = nothingKnown(from, to, step)
  for (const day of days) place(curve, day, dayStart(day.day), (dayStart(day.day) - origin) / step, step)
  const received = new Set(days.map(({ day }) => day))
  const expected = listDays(from, to)
    .filter((day) => received.has(day) || (isWithin(spans, day) && day < today()))
    .reduce((sum, day) => sum + stepsOfDay(day, step), 0)
  return {
    startsAt: instantOf(origin),
    step,
    watts: Array.from(curve.values, (value) => (value < 0 ? null : value / step)),
    marks: Array.from(curve.marks),
    energyWh: Math.round(sumKnown(curve.values) / 60),
    present: curve.values.reduce((sum, value) => sum + (value < 0 ? 0 : 1), 0),
    expected,
    receivedUntil: await receivedUntil(db, actor.companyId, id, spans, at),
  }
}

const inSpan = ({ from, to }: DaySpan): SQL | undefined =>
  and(from === '' ? sql`true` : sql`${curveDays.day} >= ${from}`, to === null ? undefined : lt(curveDays.day, to))

/** The end of the last step that is known. */
async function receivedUntil(db: Db, companyId: number, pointId: string, spans: DaySpan[], knownAt: Date | undefined) {
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
        or(sql`false`, ...spans.map(inSpan)),
      ),
    )
    .orderBy(desc(curveDays.day))
    .limit(1)
  if (!last) return null
  const steps = intsOf(last.watts).findLastIndex((value) => value !== MISSING) + 1
  return instantOf(dayStart(last.day) + steps * last.step)
}
