import { localTime } from '../calendar/calendar.ts'
import { kindAt } from '../forecast/day-kinds.ts'
import { hoursOf } from '../forecast/hours.ts'
import { median } from '../forecast/quantile.ts'
import type { Series } from '../series/series.ts'
import type { Finding } from './finding.ts'

/** Mean watts of each block; null for a week that was not received. */
export type WeekProfile = Float64Array | null
export type Weekly = { id: string; weeks: WeekProfile[] }
export type SwappedPoints = Finding<
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

/** Blocks of three hours of a working day, then of a day of rest: single hours of a home are mostly chance. */
const BLOCK = 180
const BLOCKS = 1440 / BLOCK
const SLOTS = 2 * BLOCKS
const WEEK = 168
const LEAST_KNOWN = 0.9
const LEAST_WEEKS = 2
const ENOUGH_BEFORE = 4
const CHANGED = 3
const CROSSED = 0.5
const SURE = 0.01

/** The profiles of the whole weeks that end where the curve ends, oldest first. */
export function weekProfiles(series: Series): WeekProfile[] {
  const { first, watts } = hoursOf(series)
  const count = Math.floor(watts.length / WEEK)
  const from = watts.length - count * WEEK
  return Array.from({ length: count }, (_, week) => {
    const [sums, known] = [new Float64Array(SLOTS), new Float64Array(SLOTS)]
    let received = 0
    for (let at = from + week * WEEK; at < from + (week + 1) * WEEK; at++) {
      const value = watts[at] ?? Number.NaN
      if (Number.isNaN(value)) continue
      const minute = (first + at) * 60
      const block = Math.floor(localTime(minute).minuteOfDay / BLOCK)
      const slot = kindAt(minute) === 'work' ? block : BLOCKS + block
      sums[slot] = (sums[slot] ?? 0) + value
      known[slot] = (known[slot] ?? 0) + 1
      received++
    }
    const isWhole = received >= LEAST_KNOWN * WEEK && known.every((count) => count > 0)
    return isWhole ? sums.map((sum, slot) => sum / (known[slot] ?? 1)) : null
  })
}

/** Plain loops here and below: a suspicious pair has its weeks handed out in a hundred thousand ways. */
function meanOf(weeks: Float64Array[]): Float64Array {
  const mean = new Float64Array(SLOTS)
  for (const week of weeks) for (let slot = 0; slot < SLOTS; slot++) (mean[slot] as number) += week[slot] as number // a week has all slots
  for (let slot = 0; slot < SLOTS; slot++) (mean[slot] as number) /= weeks.length
  return mean
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let slot = 0; slot < SLOTS; slot++) sum += Math.abs((a[slot] as number) - (b[slot] as number)) // likewise
  return sum / SLOTS
}

/** The week in which a point changed the most beside its own unrest, if it did. */
function changeOf(weeks: Float64Array[]): number | null {
  let [best, most] = [-1, CHANGED]
  for (let cut = ENOUGH_BEFORE; cut <= weeks.length - LEAST_WEEKS; cut++) {
    const [before, after] = [meanOf(weeks.slice(0, cut)), meanOf(weeks.slice(cut))]
    const unrest = median(weeks.map((week, at) => distance(week, at < cut ? before : after)))
    const ratio = distance(before, after) / Math.max(1, unrest)
    if (ratio > most) [best, most] = [cut, ratio]
  }
  return best < 0 ? null : best
}

type Pair = { a: Float64Array[]; b: Float64Array[]; cut: number }

function distances({ a, b, cut }: Pair) {
  const [a1, a2] = [meanOf(a.slice(0, cut)), meanOf(a.slice(cut))]
  const [b1, b2] = [meanOf(b.slice(0, cut)), meanOf(b.slice(cut))]
  return { straight: distance(a1, a2) + distance(b1, b2), crossed: distance(a1, b2) + distance(b1, a2) }
}

const ratioOf = (pair: Pair) => {
  const { straight, crossed } = distances(pair)
  return straight > 0 ? crossed / straight : Number.POSITIVE_INFINITY
}

/**
 * How often the weeks, handed to either point at random, would look as crossed: every way of doing so. Where it is too often to
 * be sure, the rest is not counted.
 */
function chanceOf(pair: Pair, seen: number, enough: number): number {
  // Both handed over in every week is the same as none: the first stays.
  const ways = 2 ** (pair.a.length - 1)
  let alike = 0
  for (let flips = 0; flips < ways; flips++) {
    const isFlipped = (week: number) => week > 0 && ((flips >> (week - 1)) & 1) === 1
    const a = pair.a.map((week, at) => (isFlipped(at) ? (pair.b[at] ?? week) : week))
    const b = pair.b.map((week, at) => (isFlipped(at) ? (pair.a[at] ?? week) : week))
    if (ratioOf({ a, b, cut: pair.cut }) <= seen + 1e-12) alike++
    if (alike >= enough * ways) return enough
  }
  return alike / ways
}

/** So many that a hundred pairs that changed with the season do not drown one that was swapped. */
const MOST_WEEKS = 18

/** Pairs of points that took one another's curve in the same week. All points share their weeks. */
export function swappedPoints(points: Weekly[]): SwappedPoints[] {
  const changed = points.flatMap(({ id, weeks }) => {
    const last = weeks.slice(-MOST_WEEKS)
    const whole = last.filter((week) => week !== null)
    const cut = whole.length === last.length ? changeOf(whole) : null
    return cut === null ? [] : [{ id, cut, weeks: whole, first: weeks.length - whole.length }]
  })
  const pairs = changed.flatMap((a, at) =>
    changed
      .slice(at + 1)
      .filter((b) => b.cut === a.cut && b.weeks.length === a.weeks.length)
      .map((b) => ({ a, b })),
  )
  return pairs.flatMap(({ a, b }): SwappedPoints[] => {
    const pair = { a: a.weeks, b: b.weeks, cut: a.cut }
    const { straight, crossed } = distances(pair)
    const ratio = straight > 0 ? crossed / straight : Number.POSITIVE_INFINITY
    if (ratio >= CROSSED) return []
    const enough = SURE / pairs.length
    const chance = chanceOf(pair, ratio, enough)
    if (chance >= enough) return []
    const evidence = { a: a.id, b: b.id, week: a.first + a.cut, straight, crossed, ratio, pairs: pairs.length, chance }
    return [{ rule: 'swapped-points', statistic: ratio, threshold: CROSSED, confidence: 1 - ratio, evidence }]
  })
}
