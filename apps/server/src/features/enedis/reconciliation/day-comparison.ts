import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { OperationPeriod } from './month-sources.ts'
import type { PointMonth, ReconciliationContext } from './reconciliation-context.ts'

/**
 * Energy in watt-minutes, without the excluded or missing steps, counted in minutes. A step is excluded when any member
 * lacked data, which changes what all others got.
 */
type AllocatedDay = { local: number; excluded: number }
type DistributorDay = { energy: number; missing: number }
export type DayFacts = {
  ours: AllocatedDay | undefined
  theirs: DistributorDay | undefined
  inOurs: boolean
  /** Null when the distributor's dates are unknown. */
  inTheirs: boolean | null
  /** Watt-minutes that the point can use at most in a whole day and in a minute. */
  most: { day: number; minute: number }
}
export type DayVerdict = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** Whether gaps can explain the difference: our gaps explain a higher value of theirs, and vice versa. */
export function canHolesExplain(gap: number, lacking: { ours: number; theirs: number }, tolerance: number): boolean {
  return gap <= lacking.ours + tolerance && -gap <= lacking.theirs + tolerance
}

/** Compares a point's day on both sides; undefined when neither has data. */
export function compareDay(facts: DayFacts, tolerance: number): DayVerdict | undefined {
  const { ours, theirs, inOurs, inTheirs, most } = facts
  if (!ours && !theirs) return undefined
  // Outside its dates a point has zero energy; within them, no data means a gap.
  const own = ours?.local ?? (inOurs ? null : 0)
  const their = theirs?.energy ?? (inTheirs === false ? 0 : null)
  const judged = { ours: own, theirs: their }
  if (own !== null && their !== null) {
    const difference = Math.abs(own - their)
    if (difference === 0) return { ...judged, cause: 'equal' }
    if (difference <= tolerance) return { ...judged, cause: 'rounding' }
  }
  // Energy attributed by the distributor proves that it counts the point as a member.
  const counted = inTheirs ?? (theirs && theirs.energy > 0 ? true : null)
  const datesDiffer = counted !== null && counted !== inOurs
  const lacking = {
    ours: datesDiffer || !ours ? most.day : ours.excluded * most.minute,
    theirs: datesDiffer || !theirs ? most.day : theirs.missing * most.minute,
  }
  if (!canHolesExplain((their ?? 0) - (own ?? 0), lacking, tolerance)) return { ...judged, cause: 'unexplained' }
  if (datesDiffer && (!ours || !theirs)) return { ...judged, cause: 'membership-dates' }
  const holes = !ours || !theirs || ours.excluded > 0 || theirs.missing > 0
  return { ...judged, cause: holes ? 'missing-data' : 'membership-dates' }
}

/** The cause of a month: unexplained when those days exceed the tolerance, otherwise the one with the largest total. */
export function computeMonthCause(days: DayVerdict[], tolerance: number): DifferenceCause {
  const weights = new Map<DifferenceCause, number>()
  for (const { ours, theirs, cause } of days) {
    if (cause === 'equal' || cause === 'rounding') continue
    weights.set(cause, (weights.get(cause) ?? 0) + Math.abs((ours ?? 0) - (theirs ?? 0)))
  }
  if ((weights.get('unexplained') ?? 0) > tolerance) return 'unexplained'
  weights.delete('unexplained')
  const [heaviest] = [...weights].sort(([, a], [, b]) => b - a)
  return heaviest?.[0] ?? 'unexplained'
}

/** Values by point, then by day. */
export type ByDay<T> = Map<string, Map<string, T>>
export type DayFigures = { ours: ByDay<AllocatedDay>; theirs: ByDay<DistributorDay> }

type OurRow = { pointId: string; day: string; local: string; excluded: number }
type TheirRow = { pointId: string; day: string; energy: string; missing: number }

/** Daily energy of both sides, for all or some points, with the minutes of excluded or missing steps. */
export async function loadDayFigures(
  db: Db,
  companyId: number,
  { operationId, from, to }: OperationPeriod,
  pointIds?: string[],
): Promise<DayFigures> {
  const some = pointIds ? sql`and d.point_id = any(${sql.param(pointIds)}::uuid[])` : sql``
  const { rows: ours } = await db.execute<OurRow>(sql`
    with held as (
      select c.run_id, c.day, o.step_minutes from allocation_coverage c
        join operations o on o.company_id = c.company_id and o.id = c.operation_id
       where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day >= ${from} and c.day < ${to}),
    worst as (
      select h.run_id, h.day, max(d.excluded) * h.step_minutes as excluded from held h
        join allocation_days d on d.company_id = ${companyId} and d.run_id = h.run_id and d.day = h.day
       group by h.run_id, h.day, h.step_minutes)
    select d.point_id as "pointId", d.day::text, d.local, w.excluded from worst w
      join allocation_days d on d.company_id = ${companyId} and d.run_id = w.run_id and d.day = w.day ${some}`)
  const { rows: theirs } = await db.execute<TheirRow>(sql`
    select d.point_id as "pointId", d.day::text, d.energy, d.missing * d.step as missing from distributor_days d
     where d.company_id = ${companyId} and d.operation_id = ${operationId} and d.type = 'autocons'
       and d.day >= ${from} and d.day < ${to} ${some}`)
  return {
    ours: indexByPointAndDay(ours, ({ local, excluded }) => ({ local: Number(local), excluded })),
    theirs: indexByPointAndDay(theirs, ({ energy, missing }) => ({ energy: Number(energy), missing })),
  }
}

export function indexByPointAndDay<R extends { pointId: string; day: string }, T>(
  rows: R[],
  of: (row: R) => T,
): ByDay<T> {
  const points: ByDay<T> = new Map()
  for (const row of rows) {
    const days = points.get(row.pointId) ?? new Map<string, T>()
    points.set(row.pointId, days)
    days.set(row.day, of(row))
  }
  return points
}

/** The unexplained days of one point. */
type UnexplainedDays = { pointId: string; days: [string, DayVerdict][] }

const listUnexplainedDays = (judged: ByDay<DayVerdict>): UnexplainedDays[] =>
  [...judged].flatMap(([pointId, all]) => {
    const days = [...all].filter(([, { cause }]) => cause === 'unexplained')
    return days.length ? [{ pointId, days }] : []
  })

/** Whether the distributor's energy of one point on all these days is what we computed for another. */
function isSwappedWith(
  { days }: UnexplainedDays,
  figures: DayFigures,
  who: string,
  other: string,
  { tolerance }: ReconciliationContext,
): boolean {
  const [theirs, ours] = [figures.theirs.get(who), figures.ours.get(other)]
  return days.every(([day]) => {
    const [given, own] = [theirs?.get(day), ours?.get(day)]
    return given !== undefined && own !== undefined && Math.abs(given.energy - own.local) <= tolerance.day(day)
  })
}

/** Finds swapped members: each has the energy of another one. */
function explainSwaps(
  context: ReconciliationContext,
  figures: DayFigures,
  open: UnexplainedDays[],
  differingPoints: PointMonth[],
): void {
  for (const one of open) {
    const self = context.memberships.points.get(one.pointId)
    const others = differingPoints.filter(
      ({ pointId, direction }) => pointId !== one.pointId && direction === self?.direction,
    )
    const isSwapped =
      others.some(({ pointId }) => isSwappedWith(one, figures, one.pointId, pointId, context)) &&
      others.some(({ pointId }) => isSwappedWith(one, figures, pointId, one.pointId, context))
    if (isSwapped) for (const [, own] of one.days) own.cause = 'swapped-members'
  }
}

/** Finds shifted days: the distributor's energy of a day is ours of the day before or after. */
function explainShifts({ tolerance }: ReconciliationContext, figures: DayFigures, open: UnexplainedDays[]): void {
  for (const { pointId, days } of open) {
    const ours = figures.ours.get(pointId)
    const isShifted = (by: number) =>
      days.every(([day, { theirs }]) => {
        const beside = ours?.get(addDays(day, by))
        return theirs !== null && beside !== undefined && Math.abs(theirs - beside.local) <= tolerance.day(day)
      })
    const weighs = days.some(
      ([day, { ours: own, theirs }]) => Math.abs((own ?? 0) - (theirs ?? 0)) > 2 * tolerance.day(day),
    )
    if (weighs && (isShifted(1) || isShifted(-1))) for (const [, own] of days) own.cause = 'shifted-day'
  }
}

/** Finds causes from the daily figures alone. `figures` must include one day before and after the month. */
export function explainDays(
  context: ReconciliationContext,
  figures: DayFigures,
  judged: ByDay<DayVerdict>,
  differingPoints: PointMonth[],
): void {
  explainSwaps(context, figures, listUnexplainedDays(judged), differingPoints)
  explainShifts(context, figures, listUnexplainedDays(judged))
}
