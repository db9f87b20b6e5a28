import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { addDays } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import { type ByDay, type DayFigures, readDayFigures } from './day-figures.ts'
import { causeOfMonth, type Judged, judgeDay } from './judge-day.ts'
import { askedOf, nearness, type PointMonth, type Scene } from './scene.ts'
import { whatIfs } from './what-if.ts'

/** Finds why the points of a month differ, from its days where the distributor gave them. */
export async function explainMonth(db: Db, scene: Scene, points: PointMonth[]): Promise<void> {
  const ids = points.map(({ pointId }) => pointId)
  const figures = await readDayFigures(db, scene.companyId, askedOf(scene), ids)
  const byDays = points.filter((point) => isToldByDays(point, figures, scene))
  const judged = judgeDays(
    scene,
    figures,
    byDays.map(({ pointId }) => pointId),
  )
  const whole = points.filter((point) => !judged.has(point.pointId))
  for (const point of whole) point.cause = causeOfWhole(point, figures, scene)
  await settle(db, scene, judged, whole)
  for (const point of byDays)
    point.cause = causeOfMonth([...(judged.get(point.pointId)?.values() ?? [])], scene.tolerance.month)
}

/** Without days of its own, a definitive quantity is all there is; with days that say something else, it prevails. */
function isToldByDays({ pointId, definitive, theirs }: PointMonth, figures: DayFigures, { tolerance }: Scene): boolean {
  if (!definitive) return true
  const days = figures.theirs.get(pointId)
  if (!days) return false
  const sum = [...days.values()].reduce((all, { energy }) => all + energy, 0)
  return nearness({ ours: sum, theirs, definitive }, tolerance.month) !== undefined
}

export function judgeDays({ days, memberships, tolerance }: Scene, figures: DayFigures, ids: string[]): ByDay<Judged> {
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
      }
      const found = judgeDay(facts, tolerance.day(day))
      if (found) own.set(day, found)
    }
    judged.set(pointId, own)
  }
  return judged
}

function causeOfWhole({ pointId, definitive }: PointMonth, figures: DayFigures, scene: Scene): DifferenceCause {
  const { inOurs, inTheirs } = scene.memberships
  const ours = figures.ours.get(pointId)
  const held = (day: string) => definitive?.periods.some(({ from, to }) => from <= day && day < to) ?? false
  const taking = scene.days.filter((day) => inOurs(pointId, day))
  const apart = scene.days.some(
    (day) => inTheirs(pointId, day) !== null && inTheirs(pointId, day) !== inOurs(pointId, day),
  )
  const holes = taking.some(
    (day) => !ours?.has(day) || (ours.get(day)?.excluded ?? 0) > 0 || (!held(day) && inTheirs(pointId, day) !== false),
  )
  if (holes) return 'missing-data'
  return apart || !taking.length ? 'membership-dates' : 'unexplained'
}

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
