import { dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { ESTIMATED_BY_PROFILE, ESTIMATED_FROM_OWN_DAYS } from '@voisol/energy/estimate'
import type { Step } from '@voisol/energy/series'
import type { Period } from '../../../core/allocation-keys.ts'
import { buildGaps, type DayGap } from '../../../core/readings.ts'

/**
 * Watt-minutes per step, the stored mark of each, and how it was estimated: 1 from the meter's other days, 2 from the
 * others' profile.
 */
export type EnergyValues = { values: Int32Array; marks: Uint8Array; levels: Uint8Array }

/** A member's steps by data quality; a gap is a day with missing steps. */
export type MemberReadingLevels = {
  pointId: string
  steps: number
  measured: number
  corrected: number
  estimated: number
  own: number
  profile: number
  missing: number
  gaps: DayGap[]
}

/** The quality of each stored mark, by index. */
const LEVELS_BY_MARK = ['measured', 'measured', 'corrected', 'estimated'] as const

type LevelName = Exclude<keyof MemberReadingLevels, 'pointId' | 'gaps' | 'steps'>

function getLevelAt({ values, marks, levels }: EnergyValues, at: number): LevelName {
  if ((values[at] ?? -1) < 0) return 'missing'
  if (levels[at] === ESTIMATED_FROM_OWN_DAYS) return 'own'
  if (levels[at] === ESTIMATED_BY_PROFILE) return 'profile'
  return LEVELS_BY_MARK[marks[at] ?? 0] ?? 'measured'
}

const isActiveAt = (active: [number, number][], at: number) => active.some(([from, to]) => at >= from && at < to)

export function countMemberLevels(
  pointId: string,
  values: EnergyValues,
  active: [number, number][],
  { from, to }: Period,
  step: Step,
): MemberReadingLevels {
  const counts = { steps: 0, measured: 0, corrected: 0, estimated: 0, own: 0, profile: 0, missing: 0 }
  const origin = dayStart(from)
  const days = listDays(from, to).map((day) => {
    const first = (dayStart(day) - origin) / step
    const end = first + stepsOfDay(day, step)
    const before = counts.missing
    // Members enter and leave at midnight.
    if (isActiveAt(active, first))
      for (let at = first; at < end; at++) {
        counts.steps++
        counts[getLevelAt(values, at)]++
      }
    return { day, steps: counts.missing - before }
  })
  return { pointId, ...counts, gaps: buildGaps(days) }
}

/** Merges two consecutive parts of a run for the same member. */
export function mergeMemberLevels(a: MemberReadingLevels, b: MemberReadingLevels): MemberReadingLevels {
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
