import { MISSING, type Series } from '../series/series.ts'
import { nextBelow } from './quantile.ts'
import type { Forecast } from './types.ts'

/** How far each edge of a band is moved, in its distance from the middle as it was learnt: 1 leaves it there. */
export type Edges = { low: number; high: number }
/** A band as it was learnt and issued, by hour; `counts` where the sun was up. */
export type PastBand = Pick<Series, 'startsAt' | 'step'> & {
  low: ArrayLike<number>
  middle: ArrayLike<number>
  high: ArrayLike<number>
  counts: ArrayLike<number>
}

const DAY = 1440
/** What was missed of late tells of the plant and the season as they are. */
const WINDOW_DAYS = 14
/** Fewer hours than this of one lead say nothing of it. */
const ENOUGH = 60
/** An edge nearer than this part of the peak power is no measure of an error. */
const NARROW = 0.01
const LEVELS = { low: 0.1, high: 0.9 }
const AS_LEARNT: Edges = { low: 1, high: 1 }

type Missed = { low: number[]; high: number[] }

/** By lead: how far what came lay below and above the middle, in distances to the edges. */
function missedOf(past: PastBand[], known: Series, until: number, narrow: number): Missed[] {
  const missed: Missed[] = []
  for (const { startsAt, step, low, middle, high, counts } of past) {
    if (startsAt < until - WINDOW_DAYS * DAY) continue
    for (let at = 0; at < middle.length; at++) {
      const minute = startsAt + at * step
      const value = minute < until ? (known.watts[(minute - known.startsAt) / known.step] ?? MISSING) : MISSING
      const [least, mid, most] = [low[at] ?? MISSING, middle[at] ?? MISSING, high[at] ?? MISSING]
      if (!counts[at] || value < 0 || least < 0 || mid <= 0 || most < 0) continue
      const lead = Math.floor((at * step) / DAY)
      missed[lead] ??= { low: [], high: [] }
      missed[lead].low.push((mid - value) / Math.max(mid - least, narrow))
      missed[lead].high.push((value - mid) / Math.max(most - mid, narrow))
    }
  }
  return missed
}

/** The distance that one in ten of what came lay beyond. */
function edgeOf(ratios: number[], level: number): number {
  const edge = nextBelow(Float64Array.from(ratios).sort(), level)
  return Number.isNaN(edge) ? 1 : Math.max(0, edge)
}

/**
 * By days ahead, where the edges of the next band belong for it to hold what it says: by what the forecasts issued of late missed, as
 * the meters told it since. `known` ends with what is known at the issue.
 */
export function edgesOf(past: PastBand[], known: Series, until: number, peakWatts: number): Edges[] {
  return Array.from(missedOf(past, known, until, NARROW * peakWatts), (own) =>
    own && own.low.length >= ENOUGH
      ? { low: edgeOf(own.low, LEVELS.high), high: edgeOf(own.high, LEVELS.high) }
      : AS_LEARNT,
  )
}

/** The forecast with its outer levels moved; its middle, and hours of which nothing is expected, stay as they are. */
export function movedEdges(said: Forecast, edges: Edges[], peakWatts: number): Forecast {
  const { levels, values, step } = said
  const [low, middle, high] = [LEVELS.low, 0.5, LEVELS.high].map((level) => values[levels.indexOf(level)])
  if (!low || !middle || !high || edges.every((own) => own === AS_LEARNT)) return said
  const [least, most] = [low.slice(), high.slice()]
  const narrow = NARROW * peakWatts
  for (let at = 0; at < middle.length; at++) {
    const [mid, own] = [middle[at] ?? 0, edges[Math.floor((at * step) / DAY)] ?? AS_LEARNT]
    if (mid <= 0 || own === AS_LEARNT) continue
    least[at] = Math.max(0, Math.round(mid - own.low * Math.max(mid - (low[at] ?? 0), narrow)))
    most[at] = Math.min(
      Math.round(1.05 * peakWatts),
      Math.round(mid + own.high * Math.max((high[at] ?? 0) - mid, narrow)),
    )
    if ((most[at] ?? 0) < mid) most[at] = mid
  }
  return { ...said, values: values.map((level) => (level === low ? least : level === high ? most : level)) }
}
