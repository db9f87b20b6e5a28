import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addDays, minutesOfDay } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Asked } from './asked.ts'
import { explainClasses } from './class-proofs.ts'
import { type ByDay, type DayFigures, readDayFigures } from './day-figures.ts'
import { explainDays } from './day-proofs.ts'
import { causeOfMonth, couldHold, type Judged, judgeDay } from './judge-day.ts'
import { type Powers, readPowers } from './powers.ts'
import { askedOf, floorOf, nearness, type PointMonth, type Scene } from './scene.ts'
import { whatIfs } from './what-if.ts'

/** Finds why the points of a month differ, from its days where the distributor gave them. */
export async function explainMonth(db: Db, scene: Scene, points: PointMonth[]): Promise<void> {
  const ids = points.map(({ pointId }) => pointId)
  const figures = await readDayFigures(db, scene.companyId, aroundOf(scene), ids)
  const powers = await readPowers(db, scene, ids)
  const byDays = points.filter((point) => isToldByDays(point, figures, scene))
  const judged = judgeDays(
    scene,
    figures,
    byDays.map(({ pointId }) => pointId),
    powers,
  )
  const whole = points.filter((point) => !judged.has(point.pointId))
  for (const point of whole) point.cause = causeOfWhole(point, figures, scene, powers(point.pointId))
  explainDays(scene, figures, judged, points)
  await explainClasses(db, scene, { figures, open: whole.filter(isOpen), apart: points })
  await settle(db, scene, judged, whole)
  for (const point of byDays)
    point.cause = causeOfMonth([...(judged.get(point.pointId)?.values() ?? [])], scene.tolerance.month)
}

/** The month and a day beyond it on either side: days may be shifted. */
export function aroundOf(scene: Scene): Asked {
  const { operationId, from, to } = askedOf(scene)
  return { operationId, from: addDays(from, -1), to: addDays(to, 1) }
}

/** Without days of its own, a definitive quantity is all there is; with days that say something else, it prevails. */
function isToldByDays(point: PointMonth, figures: DayFigures, { days, tolerance }: Scene): boolean {
  const { pointId, definitive, theirs } = point
  if (!definitive) return true
  const given = figures.theirs.get(pointId)
  if (!given || !days.some((day) => given.has(day))) return false
  const sum = days.reduce((all, day) => all + (given.get(day)?.energy ?? 0), 0)
  return nearness({ ours: sum, theirs, definitive }, tolerance.month) !== undefined
}

export function judgeDays(
  { days, memberships, tolerance }: Scene,
  figures: DayFigures,
  ids: string[],
  powers: Powers,
): ByDay<Judged> {
  const judged: ByDay<Judged> = new Map()
  for (const pointId of ids) {
    const [ours, theirs] = [figures.ours.get(pointId), figures.theirs.get(pointId)]
    const own = new Map<string, Judged>()
    for (const day of days) {
      const facts = {
        ours: ours?.get(day),
        theirs: theirs?.get(day),
        inOurs: memberships.inOurs(pointId, day),
        inTheirs: memberships.inTheirs(pointId, day),
        most: { minute: powers(pointId), day: powers(pointId) * minutesOfDay(day) },
      }
      const found = judgeDay(facts, tolerance.day(day))
      if (found) own.set(day, found)
    }
    judged.set(pointId, own)
  }
  return judged
}

/** Of a month that is told in one figure: days that a side lacks, or counts where the other does not. */
function causeOfWhole(point: PointMonth, figures: DayFigures, scene: Scene, watts: number): DifferenceCause {
  const { pointId, definitive } = point
  const { inOurs, inTheirs } = scene.memberships
  const held = (day: string) => definitive?.periods.some(({ from, to }) => from <= day && day < to) ?? false
  const holes = { ours: 0, theirs: 0 }
  const apart = { ours: 0, theirs: 0 }
  for (const day of scene.days) {
    const [own, their, minutes] = [inOurs(pointId, day), inTheirs(pointId, day), minutesOfDay(day)]
    const ours = figures.ours.get(pointId)?.get(day)
    if (own) holes.ours += ours ? ours.excluded : minutes
    if (own && !held(day) && their !== false) holes.theirs += minutes
    if (own && their === false) apart.theirs += minutes
    if (!own && their !== false) apart.ours += minutes
  }
  const gap = (point.theirs ?? 0) - (point.ours ?? 0)
  const allowed = scene.tolerance.month + (point.theirs === null ? 0 : floorOf(definitive))
  const explains = (...lacks: { ours: number; theirs: number }[]) =>
    lacks.some(({ ours, theirs }) => ours + theirs > 0) &&
    couldHold(gap, { ours: sumOf(lacks, 'ours') * watts, theirs: sumOf(lacks, 'theirs') * watts }, allowed)
  if (explains(holes)) return 'missing-data'
  return explains(apart) || explains(apart, holes) ? 'membership-dates' : 'unexplained'
}

const sumOf = (lacks: { ours: number; theirs: number }[], side: 'ours' | 'theirs') =>
  lacks.reduce((sum, lack) => sum + lack[side], 0)

const isOpen = ({ cause }: { cause: DifferenceCause }) => cause === 'unexplained'

/** Holds what is still unexplained against what other keys or other dates would have given. */
export async function settle(db: Db, scene: Scene, judged: ByDay<Judged>, whole: PointMonth[]): Promise<void> {
  const open = [...judged].flatMap(([pointId, days]) =>
    [...days].flatMap(([day, own]) => (isOpen(own) ? [{ pointId, day, own }] : [])),
  )
  const months = whole.filter(isOpen)
  if (!open.length && !months.length) return
  const days = open.map(({ day }) => day).sort()
  const { operationId, from, to } = askedOf(scene)
  const span = months.length ? { from, to } : { from: days[0] ?? from, to: addDays(days.at(-1) ?? from, 1) }
  const estimated = scene.covered.some((run) => run.estimated)
  for await (const other of whatIfs(db, scene.companyId, { operationId, ...span, estimated }, scene.memberships)) {
    for (const { pointId, day, own } of open) {
      const given = other.days.get(pointId)?.get(day) ?? 0
      if (isOpen(own) && Math.abs(given - (own.theirs ?? 0)) <= scene.tolerance.day(day)) own.cause = other.cause
    }
    for (const point of months) {
      const given = [...(other.days.get(point.pointId)?.values() ?? [])].reduce((sum, local) => sum + local, 0)
      if (isOpen(point) && nearness({ ...point, ours: given }, scene.tolerance.month)) point.cause = other.cause
    }
    if (!open.some(({ own }) => isOpen(own)) && !months.some(isOpen)) return
  }
}
