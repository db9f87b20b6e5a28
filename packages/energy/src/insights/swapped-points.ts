import { localTime } from '../calendar/calendar.ts'
import { getDayKind } from '../forecast/consumption-forecast.ts'
import { toHourlySeries } from '../forecast/hourly-series.ts'
import { computeMedian } from '../forecast/quantile.ts'
import type { PowerSeries } from '../series/series.ts'
import type { InsightFinding } from './finding.ts'

/** Mean watts of each block; null for a week that was not received. */
type WeekProfile = Float64Array | null
type PointWeeks = { id: string; weeks: WeekProfile[] }
type SwappedPointsFinding = InsightFinding<
  'swapped-points',
  {
    a: string
    b: string
    week: number
    straight: number
    crossed: number
    ratio: number
    pairs: number
    chance: number
  }
>

/** Blocks of three hours of a working day, then of a day of rest: single hours of a home are too random. */
const BLOCK_MINUTES = 180
const BLOCKS = 1440 / BLOCK_MINUTES
const SLOTS = 2 * BLOCKS
const WEEK_HOURS = 168
const MIN_KNOWN_SHARE = 0.9
const MIN_WEEKS_AFTER = 2
const MIN_WEEKS_BEFORE = 4
const MIN_CHANGE_RATIO = 3
const MAX_CROSS_RATIO = 0.5
const MAX_CHANCE = 0.01

/** The profiles of the whole weeks that end where the curve ends, oldest first. */
export function buildWeekProfiles(series: PowerSeries): WeekProfile[] {
  const { first, watts } = toHourlySeries(series)
  const count = Math.floor(watts.length / WEEK_HOURS)
  const from = watts.length - count * WEEK_HOURS
  return Array.from({ length: count }, (_, week) => {
    const [sums, known] = [new Float64Array(SLOTS), new Float64Array(SLOTS)]
    let received = 0
    for (let at = from + week * WEEK_HOURS; at < from + (week + 1) * WEEK_HOURS; at++) {
      const value = watts[at] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const minute = (first + at) * 60
      const block = Math.floor(localTime(minute).minuteOfDay / BLOCK_MINUTES)
      const slot = getDayKind(minute) === 'work' ? block : BLOCKS + block
      sums[slot] = (sums[slot] ?? 0) + value
      known[slot] = (known[slot] ?? 0) + 1
      received++
    }
    const isWhole = received >= MIN_KNOWN_SHARE * WEEK_HOURS && known.every((count) => count > 0)
    return isWhole ? sums.map((sum, slot) => sum / (known[slot] ?? 1)) : null
  })
}

/** Plain loops here and below: for a suspicious pair, the weeks are assigned in a hundred thousand ways. */
function averageWeeks(weeks: Float64Array[]): Float64Array {
  const mean = new Float64Array(SLOTS)
  for (const week of weeks) for (let slot = 0; slot < SLOTS; slot++) (mean[slot] as number) += week[slot] as number // a week has all slots
  for (let slot = 0; slot < SLOTS; slot++) (mean[slot] as number) /= weeks.length
  return mean
}

function computeDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let slot = 0; slot < SLOTS; slot++) sum += Math.abs((a[slot] as number) - (b[slot] as number)) // likewise
  return sum / SLOTS
}

/** The week in which a point changed the most against its usual variation, if it did. */
function findChangeWeek(weeks: Float64Array[]): number | null {
  let [best, most] = [-1, MIN_CHANGE_RATIO]
  for (let cut = MIN_WEEKS_BEFORE; cut <= weeks.length - MIN_WEEKS_AFTER; cut++) {
    const [before, after] = [averageWeeks(weeks.slice(0, cut)), averageWeeks(weeks.slice(cut))]
    const unrest = computeMedian(weeks.map((week, at) => computeDistance(week, at < cut ? before : after)))
    const ratio = computeDistance(before, after) / Math.max(1, unrest)
    if (ratio > most) [best, most] = [cut, ratio]
  }
  return best < 0 ? null : best
}

type PointPair = { a: Float64Array[]; b: Float64Array[]; cut: number }

function computeDistances({ a, b, cut }: PointPair) {
  const [a1, a2] = [averageWeeks(a.slice(0, cut)), averageWeeks(a.slice(cut))]
  const [b1, b2] = [averageWeeks(b.slice(0, cut)), averageWeeks(b.slice(cut))]
  return {
    straight: computeDistance(a1, a2) + computeDistance(b1, b2),
    crossed: computeDistance(a1, b2) + computeDistance(b1, a2),
  }
}

const computeCrossRatio = (pair: PointPair) => {
  const { straight, crossed } = computeDistances(pair)
  return straight > 0 ? crossed / straight : Number.POSITIVE_INFINITY
}

/**
 * The part of all assignments of the weeks to the two points that would look as swapped as what was seen. Counting
 * stops once there are too many to be sure.
 */
function computeChance(pair: PointPair, seen: number, enough: number): number {
  // Swapping both in every week is the same as swapping none, so the first week is fixed.
  const ways = 2 ** (pair.a.length - 1)
  let alike = 0
  for (let flips = 0; flips < ways; flips++) {
    const isFlipped = (week: number) => week > 0 && ((flips >> (week - 1)) & 1) === 1
    const a = pair.a.map((week, at) => (isFlipped(at) ? (pair.b[at] ?? week) : week))
    const b = pair.b.map((week, at) => (isFlipped(at) ? (pair.a[at] ?? week) : week))
    if (computeCrossRatio({ a, b, cut: pair.cut }) <= seen + 1e-12) alike++
    if (alike >= enough * ways) return enough
  }
  return alike / ways
}

/** Enough weeks that one swapped pair stands out among a hundred that changed with the season. */
const MAX_WEEKS = 18

/** Pairs of points that exchanged their curves in the same week. All points have the same weeks. */
export function detectSwappedPoints(points: PointWeeks[]): SwappedPointsFinding[] {
  const changed = points.flatMap(({ id, weeks }) => {
    const last = weeks.slice(-MAX_WEEKS)
    const whole = last.filter((week) => week !== null)
    const cut = whole.length === last.length ? findChangeWeek(whole) : null
    return cut === null ? [] : [{ id, cut, weeks: whole, first: weeks.length - whole.length }]
  })
  const pairs = changed.flatMap((a, at) =>
    changed
      .slice(at + 1)
      .filter((b) => b.cut === a.cut && b.weeks.length === a.weeks.length)
      .map((b) => ({ a, b })),
  )
  return pairs.flatMap(({ a, b }): SwappedPointsFinding[] => {
    const pair = { a: a.weeks, b: b.weeks, cut: a.cut }
    const { straight, crossed } = computeDistances(pair)
    const ratio = straight > 0 ? crossed / straight : Number.POSITIVE_INFINITY
    if (ratio >= MAX_CROSS_RATIO) return []
    const enough = MAX_CHANCE / pairs.length
    const chance = computeChance(pair, ratio, enough)
    if (chance >= enough) return []
    const evidence = { a: a.id, b: b.id, week: a.first + a.cut, straight, crossed, ratio, pairs: pairs.length, chance }
    return [{ rule: 'swapped-points', statistic: ratio, threshold: MAX_CROSS_RATIO, confidence: 1 - ratio, evidence }]
  })
}
