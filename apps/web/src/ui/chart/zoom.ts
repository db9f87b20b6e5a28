import type { TimeRange } from './types.ts'

const getFullRangeOfTimes = (times: number[]): TimeRange => [times[0] ?? 0, times.at(-1) ?? 0]
export const getFullRange = getFullRangeOfTimes

const MIN_VISIBLE_STEPS = 4
const getMinLength = (times: number[]) => {
  const [from, to] = getFullRangeOfTimes(times)
  return times.length > 1 ? ((to - from) / (times.length - 1)) * MIN_VISIBLE_STEPS : 0
}

/** Keeps a span inside the data, with its length where it can. */
export function clampTimeRange([from, to]: TimeRange, times: number[]): TimeRange {
  const [first, last] = getFullRangeOfTimes(times)
  const length = Math.min(last - first, Math.max(to - from, getMinLength(times)))
  const start = Math.min(Math.max(from, first), last - length)
  return [start, start + length]
}

/** Above 1 shows more, below 1 shows less, around the middle. */
export function zoomTimeRange([from, to]: TimeRange, factor: number, times: number[]) {
  const middle = (from + to) / 2
  const half = (Math.max(to - from, getMinLength(times)) / 2) * factor
  return clampTimeRange([middle - half, middle + half], times)
}

/** The span before or after, of the same length. */
export const shiftTimeRange = ([from, to]: TimeRange, direction: -1 | 1, times: number[]) =>
  clampTimeRange([from + direction * (to - from), to + direction * (to - from)], times)

export const isFullRange = (span: TimeRange, times: number[]) => {
  const [first, last] = getFullRangeOfTimes(times)
  return span[0] <= first && span[1] >= last
}

/** The same, around an instant that stays where it is. */
export const zoomTimeRangeAround = ([from, to]: TimeRange, instant: number, factor: number): TimeRange => [
  instant - (instant - from) * factor,
  instant + (to - instant) * factor,
]

/** First index and the index after the last one inside a span. */
export function findIndexRange(times: ArrayLike<number>, [from, to]: TimeRange): [first: number, end: number] {
  const lowest = (bound: number, strict: boolean) => {
    let [low, high] = [0, times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const instant = times[middle] ?? 0
      if (strict ? instant <= bound : instant < bound) low = middle + 1
      else high = middle
    }
    return low
  }
  return [lowest(from, false), lowest(to, true)]
}
