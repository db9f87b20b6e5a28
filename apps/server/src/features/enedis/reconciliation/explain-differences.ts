import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import { type EffectiveKey, type KeyVersion, loadKeys } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { loadRunInput, type RunInput, streamRunParts } from '../../energy/allocation/index.ts'
import {
  type ByDay,
  canHolesExplain,
  compareDay,
  computeMonthCause,
  type DayFigures,
  type DayVerdict,
  explainDays,
  indexByPointAndDay,
  loadDayFigures,
} from './day-comparison.ts'
import type { Memberships, OperationPeriod } from './month-sources.ts'
import { type EnergyByClass, loadAllocatedClasses, loadDistributorClasses } from './quantities-by-class.ts'
import {
  getCloseness,
  getComparedPeriod,
  getRoundingLoss,
  loadPowerLimits,
  type PointMonth,
  type PowerLimits,
  type ReconciliationContext,
} from './reconciliation-context.ts'

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

const KWH = 1000

/** Compares by class within the distributor's rounding, which drops the fraction of each kilowatt-hour. */
function areClassesClose(
  ours: EnergyByClass | undefined,
  theirs: EnergyByClass,
  { floored, tolerance }: { floored: boolean; tolerance: number },
) {
  if (!ours || !theirs.size) return false
  return [...theirs].every(([name, wh]) => {
    const difference = (ours.get(name) ?? 0) - wh
    return difference >= -tolerance && difference < (floored ? KWH + tolerance : tolerance + 1)
  })
}

/** A class that only we have, while the other classes match. */
function isMissingClass(ours: EnergyByClass | undefined, theirs: EnergyByClass, tolerance: number): boolean {
  const missing = [...(ours ?? [])].filter(([name]) => !theirs.has(name))
  return missing.reduce((sum, [, wh]) => sum + wh, 0) > tolerance
}

type ClassesByPoint = Map<string, EnergyByClass>

/** The month computed from one day later or earlier, for points with data on that day. */
async function loadShiftedClasses(
  db: Db,
  context: ReconciliationContext,
  figures: DayFigures,
  by: 1 | -1,
): Promise<ClassesByPoint> {
  const { from, to, operationId } = getComparedPeriod(context)
  const asked = { operationId, from: addDays(from, by), to: addDays(to, by) }
  const beside = by === 1 ? to : asked.from
  if (![...figures.ours.values()].some((days) => days.has(beside))) return new Map()
  const all = await loadAllocatedClasses(db, context.companyId, asked, by)
  return new Map([...all].filter(([pointId]) => figures.ours.get(pointId)?.has(beside)))
}

async function loadDistributorClassesOfPoints(
  db: Db,
  { companyId }: ReconciliationContext,
  points: PointMonth[],
): Promise<ClassesByPoint> {
  const theirs: ClassesByPoint = new Map()
  for (const { pointId, definitive } of points)
    if (definitive) theirs.set(pointId, await loadDistributorClasses(db, companyId, pointId, definitive))
  return theirs
}

/** Finds causes that class totals prove: swapped members, a missing class, or a month shifted by a day. */
async function explainClasses(
  db: Db,
  context: ReconciliationContext,
  { figures, open, apart }: { figures: DayFigures; open: PointMonth[]; apart: PointMonth[] },
): Promise<void> {
  const definitive = apart.filter((point) => point.definitive?.covers)
  const openPoints = open.filter((point) => definitive.includes(point))
  if (!openPoints.length) return
  const theirs = await loadDistributorClassesOfPoints(db, context, definitive)
  const ours = await loadAllocatedClasses(db, context.companyId, getComparedPeriod(context))
  const shifted = [
    await loadShiftedClasses(db, context, figures, 1),
    await loadShiftedClasses(db, context, figures, -1),
  ]
  const tolerance = context.tolerance.month / 60
  const isOf = ({ pointId, definitive: given }: PointMonth, own: EnergyByClass | undefined) =>
    areClassesClose(own, theirs.get(pointId) ?? new Map(), { floored: given?.floored ?? false, tolerance })
  for (const point of openPoints) {
    const { pointId, direction } = point
    const own = ours.get(pointId)
    const others = definitive.filter((other) => other.pointId !== pointId && other.direction === direction)
    if (others.some((other) => isOf(point, ours.get(other.pointId))) && others.some((other) => isOf(other, own)))
      point.cause = 'swapped-members'
    else if (isOf(point, own) && isMissingClass(own, theirs.get(pointId) ?? new Map(), tolerance))
      point.cause = 'missing-class'
  }
  const left = openPoints.filter(({ cause }) => cause === 'unexplained')
  for (const by of shifted)
    if (
      left.length &&
      left.every((point) => isOf(point, by.get(point.pointId)) && isSignificantShift(point, ours, by, tolerance))
    )
      for (const point of left) point.cause = 'shifted-day'
}

/** A shift is accepted only for all points together, and when it exceeds the rounding. */
function isSignificantShift(
  { pointId }: PointMonth,
  ours: ClassesByPoint,
  shifted: ClassesByPoint,
  tolerance: number,
): boolean {
  const [own, other] = [ours.get(pointId), shifted.get(pointId)]
  return [...(other ?? [])].some(([name, wh]) => Math.abs(wh - (own?.get(name) ?? 0)) > 2 * (KWH + tolerance))
}

/** Recomputed energy by day in watt-minutes, and the cause that it would prove. */
type WhatIf = { cause: DifferenceCause; days: ByDay<number> }

const EARLIEST_DAY = '0001-01-01'

/**
 * Recomputes the days with the distributor's dates, which are known, then with neighbouring versions of the key, which
 * are assumptions: a result equal to the distributor's figures proves the assumption.
 */
async function* computeWhatIfs(
  db: Db,
  companyId: number,
  period: OperationPeriod & { estimated: boolean },
  memberships: Memberships,
): AsyncGenerator<WhatIf> {
  const input = await loadRunInput(db, { companyId, ...period })
  const members = buildDistributorMembers(input, memberships)
  if (members) yield { cause: 'membership-dates', days: await computeByDay(db, { ...input, members }) }
  const versions = (await loadKeys(db, companyId, period.operationId))
    .filter(({ status }) => status === 'adopted')
    .sort((a, b) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number)
  for (const keys of buildOtherKeys(input.keys, versions)) {
    yield { cause: 'key-version', days: await computeByDay(db, { ...input, keys }) }
  }
}

/** Replaces each version in force by the previous one, then by the next one, and leaves the others unchanged. */
function buildOtherKeys(effectiveKeys: EffectiveKey[], versions: KeyVersion[]): EffectiveKey[][] {
  return effectiveKeys.flatMap((own, at) => {
    const place = versions.findIndex(({ id }) => id === own.version.id)
    return [versions[place - 1], versions[place + 1]].flatMap((other) =>
      other ? [effectiveKeys.map((key, n) => (n === at ? { ...key, version: other } : key))] : [],
    )
  })
}

/** Undefined when the distributor's dates are unknown or equal to ours. */
function buildDistributorMembers({ members, from, to }: RunInput, { inTheirs, theirDates }: Memberships) {
  if (inTheirs('', from) === null) return undefined
  const changed = members.flatMap((member) => {
    const own = theirDates(member.pointId)
    return own ? [{ ...member, startsOn: own.startsOn ?? EARLIEST_DAY, endsOn: own.endsOn }] : []
  })
  const clip = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
    [startsOn > from ? startsOn : from, endsOn !== null && endsOn < to ? endsOn : to].join()
  const once = [...new Map(changed.map((member) => [member.pointId, member])).values()]
  const toComparable = (list: typeof members) =>
    list
      .map((member) => `${member.pointId} ${clip(member)}`)
      .sort()
      .join(';')
  return toComparable(once) !== toComparable(members) ? once : undefined
}

async function computeByDay(db: Db, input: RunInput): Promise<ByDay<number>> {
  const rows = []
  for await (const { days } of streamRunParts(db, input))
    for (const { pointId, day, local } of days) rows.push({ pointId, day, local })
  return indexByPointAndDay(rows, ({ local }) => local)
}
