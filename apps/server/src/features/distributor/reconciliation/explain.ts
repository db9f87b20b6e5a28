import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { OperationPeriod } from './asked.ts'
import { explainClasses } from './class-proofs.ts'
import { type ByDay, type DayFigures, loadDayFigures } from './day-figures.ts'
import { explainDays } from './day-proofs.ts'
import { canHolesExplain, compareDay, computeMonthCause, type DayVerdict } from './judge-day.ts'
import { loadPowerLimits, type PowerLimits } from './powers.ts'
import {
  getCloseness,
  getComparedPeriod,
  getRoundingLoss,
  type PointMonth,
  type ReconciliationContext,
} from './scene.ts'
import { computeWhatIfs } from './what-if.ts'

/** Finds the cause of each difference of a month, from daily figures where the distributor gave them. */
export async function explainMonth(db: Db, context: ReconciliationContext, points: PointMonth[]): Promise<void> {
  const ids = points.map(({ pointId }) => pointId)
  const figures = await loadDayFigures(db, context.companyId, getPeriodWithMargin(context), ids)
  const powers = await loadPowerLimits(db, context, ids)
  const byDays = points.filter((point) => isKnownByDay(point, figures, context))
  const judged = compareDays(
    context,
    figures,
    byDays.map(({ pointId }) => pointId),
    powers,
  )
  const whole = points.filter((point) => !judged.has(point.pointId))
  for (const point of whole) point.cause = findCauseOfMonthTotal(point, figures, context, powers(point.pointId))
  explainDays(context, figures, judged, points)
  await explainClasses(db, context, { figures, open: whole.filter(isUnexplained), apart: points })
  await explainByWhatIfs(db, context, judged, whole)
  for (const point of byDays)
    point.cause = computeMonthCause([...(judged.get(point.pointId)?.values() ?? [])], context.tolerance.month)
}

/** The month plus one day on either side, to detect shifted days. */
export function getPeriodWithMargin(context: ReconciliationContext): OperationPeriod {
  const { operationId, from, to } = getComparedPeriod(context)
  return { operationId, from: addDays(from, -1), to: addDays(to, 1) }
}

/** Whether the daily figures can be used: not when they contradict the definitive quantity, which prevails. */
function isKnownByDay(point: PointMonth, figures: DayFigures, { days, tolerance }: ReconciliationContext): boolean {
  const { pointId, definitive, theirs } = point
  if (!definitive) return true
  const given = figures.theirs.get(pointId)
  if (!given || !days.some((day) => given.has(day))) return false
  const sum = days.reduce((all, day) => all + (given.get(day)?.energy ?? 0), 0)
  return getCloseness({ ours: sum, theirs, definitive }, tolerance.month) !== undefined
}

export function compareDays(
  { days, memberships, tolerance }: ReconciliationContext,
  figures: DayFigures,
  ids: string[],
  powers: PowerLimits,
): ByDay<DayVerdict> {
  const judged: ByDay<DayVerdict> = new Map()
  for (const pointId of ids) {
    const [ours, theirs] = [figures.ours.get(pointId), figures.theirs.get(pointId)]
    const own = new Map<string, DayVerdict>()
    for (const day of days) {
      const facts = {
        ours: ours?.get(day),
        theirs: theirs?.get(day),
        inOurs: memberships.inOurs(pointId, day),
        inTheirs: memberships.inTheirs(pointId, day),
        most: { minute: powers(pointId), day: powers(pointId) * minutesOfDay(day) },
      }
      const found = compareDay(facts, tolerance.day(day))
      if (found) own.set(day, found)
    }
    judged.set(pointId, own)
  }
  return judged
}

/** The cause when only a monthly total is known: days missing, or counted, on one side only. */
function findCauseOfMonthTotal(
  point: PointMonth,
  figures: DayFigures,
  context: ReconciliationContext,
  watts: number,
): DifferenceCause {
  const { pointId, definitive } = point
  const { inOurs, inTheirs } = context.memberships
  const isCoveredDay = (day: string) => definitive?.periods.some(({ from, to }) => from <= day && day < to) ?? false
  const holes = { ours: 0, theirs: 0 }
  const outsideDates = { ours: 0, theirs: 0 }
  for (const day of context.days) {
    const [own, their, minutes] = [inOurs(pointId, day), inTheirs(pointId, day), minutesOfDay(day)]
    const ours = figures.ours.get(pointId)?.get(day)
    if (own) holes.ours += ours ? ours.excluded : minutes
    if (own && !isCoveredDay(day) && their !== false) holes.theirs += minutes
    if (own && their === false) outsideDates.theirs += minutes
    if (!own && their !== false) outsideDates.ours += minutes
  }
  const gap = (point.theirs ?? 0) - (point.ours ?? 0)
  const allowed = context.tolerance.month + (point.theirs === null ? 0 : getRoundingLoss(definitive))
  const explains = (...lacks: { ours: number; theirs: number }[]) =>
    lacks.some(({ ours, theirs }) => ours + theirs > 0) &&
    canHolesExplain(gap, { ours: sumSide(lacks, 'ours') * watts, theirs: sumSide(lacks, 'theirs') * watts }, allowed)
  if (explains(holes)) return 'missing-data'
  return explains(outsideDates) || explains(outsideDates, holes) ? 'membership-dates' : 'unexplained'
}

const sumSide = (lacks: { ours: number; theirs: number }[], side: 'ours' | 'theirs') =>
  lacks.reduce((sum, lack) => sum + lack[side], 0)

const isUnexplained = ({ cause }: { cause: DifferenceCause }) => cause === 'unexplained'

/** Compares unexplained differences with results recomputed under other keys or dates. */
export async function explainByWhatIfs(
  db: Db,
  context: ReconciliationContext,
  judged: ByDay<DayVerdict>,
  whole: PointMonth[],
): Promise<void> {
  const open = [...judged].flatMap(([pointId, days]) =>
    [...days].flatMap(([day, own]) => (isUnexplained(own) ? [{ pointId, day, own }] : [])),
  )
  const months = whole.filter(isUnexplained)
  if (!open.length && !months.length) return
  const days = open.map(({ day }) => day).sort()
  const { operationId, from, to } = getComparedPeriod(context)
  const span = months.length ? { from, to } : { from: days[0] ?? from, to: addDays(days.at(-1) ?? from, 1) }
  const estimated = context.covered.some((run) => run.estimated)
  for await (const other of computeWhatIfs(
    db,
    context.companyId,
    { operationId, ...span, estimated },
    context.memberships,
  )) {
    for (const { pointId, day, own } of open) {
      const given = other.days.get(pointId)?.get(day) ?? 0
      if (isUnexplained(own) && Math.abs(given - (own.theirs ?? 0)) <= context.tolerance.day(day))
        own.cause = other.cause
    }
    for (const point of months) {
      const given = [...(other.days.get(point.pointId)?.values() ?? [])].reduce((sum, local) => sum + local, 0)
      if (isUnexplained(point) && getCloseness({ ...point, ours: given }, context.tolerance.month))
        point.cause = other.cause
    }
    if (!open.some(({ own }) => isUnexplained(own)) && !months.some(isUnexplained)) return
  }
}
