import type { Span } from './types.ts'

const limits = (times: number[]): Span => [times[0] ?? 0, times.at(-1) ?? 0]
export const wholeSpan = limits

const MIN_STEPS = 4
const shortest = (times: number[]) => {
  const [from, to] = limits(times)
  return times.length > 1 ? ((to - from) / (times.length - 1)) * MIN_STEPS : 0
}

/** Keeps a span inside the data, with its length where it can. */
export function clampSpan([from, to]: Span, times: number[]): Span {
  const [first, last] = limits(times)
  const length = Math.min(last - first, Math.max(to - from, shortest(times)))
  const start = Math.min(Math.max(from, first), last - length)
  return [start, start + length]
}

/** Above 1 shows more, below 1 shows less, around the middle. */
export function zoom([from, to]: Span, factor: number, times: number[]) {
  const middle = (from + to) / 2
  const half = (Math.max(to - from, shortest(times)) / 2) * factor
  return clampSpan([middle - half, middle + half], times)
}

/** The span before or after, of the same length. */
export const shift = ([from, to]: Span, direction: -1 | 1, times: number[]) =>
  clampSpan([from + direction * (to - from), to + direction * (to - from)], times)

export const isWhole = (span: Span, times: number[]) => {
  const [first, last] = limits(times)
  return span[0] <= first && span[1] >= last
}

/** The same, around an instant that stays where it is. */
export const zoomAround = ([from, to]: Span, instant: number, factor: number): Span => [
  instant - (instant - from) * factor,
  instant + (to - instant) * factor,
]

/** First index and the index after the last one inside a span. */
export function indexRange(times: ArrayLike<number>, [from, to]: Span): [first: number, end: number] {
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
