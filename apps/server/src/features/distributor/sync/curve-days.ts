import type { EnedisCurve, EnedisCurvePoint } from '../../../adapters/enedis/types.ts'
import type { PointDayReadings } from '../../../core/readings.ts'
import { toCurveDays } from '../../../formats/days.ts'
import { createIntervals } from '../../../formats/intervals.ts'
import { QUALITY_CODES } from '../../../formats/types.ts'
import { normalizeMarks, RAW_MARK } from '../../energy/curves/curves.ts'
import type { SyncDayRange } from './cut.ts'

/** An interval that overlaps another or is not aligned to its step is dropped: it becomes a gap, never a zero. */
function toIntervals(points: EnedisCurvePoint[]) {
  const intervals = createIntervals(points.length)
  let end = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const start = point.end - point.minutes
    if (start % point.minutes !== 0 || start < end) continue
    const at = intervals.length++
    intervals.starts[at] = start
    intervals.steps[at] = point.minutes
    intervals.watts[at] = point.watts
    intervals.quality[at] = QUALITY_CODES[point.quality]
    end = point.end
  }
  return intervals
}

/**
 * The requested days of an answer, as lists to be stored one after the other. Readings of a coarser step are stored
 * first, in their own pass: one that only repeats the mean of finer readings then changes nothing.
 */
export function toCurveRows(
  pointId: string,
  { points }: EnedisCurve,
  { from, to }: SyncDayRange,
): PointDayReadings[][] {
  const byStep = Map.groupBy(points, ({ minutes }) => minutes)
  const coarseFirst = [...byStep].sort(([a], [b]) => b - a)
  return coarseFirst.map(([, same]) =>
    toCurveDays(toIntervals(same)).flatMap(({ day, step, watts, quality }) =>
      day >= from && day < to
        ? [{ pointId, day, ...normalizeMarks({ step, watts, marks: quality, quality: RAW_MARK }) }]
        : [],
    ),
  )
}

/** A day with several steps may be complete and still differ from what the meter recorded. */
export function hasMixedSteps(passes: PointDayReadings[][]): boolean {
  const seen = new Set<string>()
  return passes.some((rows) =>
    rows.some(({ day }) => {
      const known = seen.has(day)
      seen.add(day)
      return known
    }),
  )
}
