import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { OWN, PROFILE } from '@voisol/energy/profile'
import type { Step } from '@voisol/energy/series'
import { type Gap, gapsOf } from '../../../core/gaps.ts'
import type { Period } from '../../../core/spans.ts'
import type { Values } from './energies.ts'

/** Steps of a member by what its figures rest on; a gap is a day with steps that nothing tells. */
export type MemberLevels = {
  pointId: string
  steps: number
  measured: number
  corrected: number
  estimated: number
  own: number
  profile: number
  missing: number
  gaps: Gap[]
}

/** The marks of the store, in their order. */
const STORED = ['measured', 'measured', 'corrected', 'estimated'] as const

type Name = Exclude<keyof MemberLevels, 'pointId' | 'gaps' | 'steps'>

function levelAt({ values, marks, levels }: Values, at: number): Name {
  if ((values[at] ?? -1) < 0) return 'missing'
  if (levels[at] === OWN) return 'own'
  if (levels[at] === PROFILE) return 'profile'
  return STORED[marks[at] ?? 0] ?? 'measured'
}

const isIn = (active: [number, number][], at: number) => active.some(([from, to]) => at >= from && at < to)

export function memberLevels(
  pointId: string,
  values: Values,
  active: [number, number][],
  { from, to }: Period,
  step: Step,
): MemberLevels {
  const counts = { steps: 0, measured: 0, corrected: 0, estimated: 0, own: 0, profile: 0, missing: 0 }
  const origin = dayStart(from)
  const days = listDays(from, to).map((day) => {
    const first = (dayStart(day) - origin) / step
    const end = first + stepsOfDay(day, step)
    const before = counts.missing
    // Entries and exits are at midnight.
    if (isIn(active, first))
      for (let at = first; at < end; at++) {
        counts.steps++
        counts[levelAt(values, at)]++
      }
    return { day, steps: counts.missing - before }
  })
  return { pointId, ...counts, gaps: gapsOf(days) }
}

/** The same member over two parts of a run, one after the other. */
export function addLevels(a: MemberLevels, b: MemberLevels): MemberLevels {
  const [last, first] = [a.gaps.at(-1), b.gaps[0]]
  const joins = last && first && last.to === first.from && last.steps === first.steps
  return {
    pointId: a.pointId,
    steps: a.steps + b.steps,
    measured: a.measured + b.measured,
    corrected: a.corrected + b.corrected,
    estimated: a.estimated + b.estimated,
    own: a.own + b.own,
    profile: a.profile + b.profile,
    missing: a.missing + b.missing,
    gaps: joins ? [...a.gaps.slice(0, -1), { ...last, to: first.to }, ...b.gaps.slice(1)] : [...a.gaps, ...b.gaps],
  }
}
