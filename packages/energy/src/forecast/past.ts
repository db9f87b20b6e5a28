import type { ForecastFrame } from './frame.ts'

/** How far back the last known values of an hour are looked for. */
const MAX_LOOK_BACK_DAYS = 28
export const PAST_FEATURES = [
  'y1',
  'y2',
  'y3',
  'mean7',
  'max14',
  'min14',
  'k1',
  'k3',
  'k7',
  'k28',
  'k3env',
  'k28env',
] as const

/** Σ measured divided by Σ possible over the `span` days that end with `day`; NaN where nothing was known. */
function computeClearness({ measured, possible }: ForecastFrame, day: number, span: number): number {
  let [up, down] = [0, 0]
  for (let at = Math.max(0, day - span + 1); at <= day; at++) {
    up += measured[at] ?? 0
    down += possible[at] ?? 0
  }
  return down > 0 ? up / down : Number.NaN
}

function summarizeSameHour({ y }: ForecastFrame, hour: number, day: number): number[] {
  const last: number[] = []
  let [sum, count, max, min] = [0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let back = 0; back < MAX_LOOK_BACK_DAYS; back++) {
    const value = day - back < 0 ? Number.NaN : (y[(day - back) * 24 + hour] ?? Number.NaN)
    if (Number.isNaN(value)) continue
    if (last.length < 3) last.push(value)
    if (back < 7) {
      sum += value
      count++
    }
    if (back < 14) {
      max = Math.max(max, value)
      min = Math.min(min, value)
    }
    if (back >= 14 && last.length === 3) break
  }
  while (last.length < 3) last.push(Number.NaN)
  const seen = max >= min
  return [...last, count > 0 ? sum / count : Number.NaN, seen ? max : Number.NaN, seen ? min : Number.NaN]
}

/** What is known of an hour of the day when `day` (an index of the frame) is the last known day. */
export function computePastFeatures(frame: ForecastFrame, at: number, day: number): number[] {
  const ks = [1, 3, 7, 28].map((span) => computeClearness(frame, day, span))
  const envelope = frame.envelope[at] ?? 0
  return [...summarizeSameHour(frame, at % 24, day), ...ks, (ks[1] ?? 0) * envelope, (ks[3] ?? 0) * envelope]
}
