import { MISSING, type PowerSeries } from '../series/series.ts'
import { computePredictiveQuantile, computeWeightedQuantile } from './quantile.ts'
import type { PowerForecast } from './types.ts'

/** A band narrower than this part of the peak power cannot scale an error. */
const MIN_BAND_WIDTH = 0.01
/** With fewer errors than this for a lead, the errors of all leads are used. */
const MIN_TRIALS = 60

export type CalibrationTrial = { y: number; levels: number[]; lead: number; age: number }

const getBandWidth = (levels: number[]) => Math.max((levels.at(-1) ?? 0) - (levels[0] ?? 0), MIN_BAND_WIDTH)
const roundToSixDigits = (value: number) => Number(value.toPrecision(6))

/**
 * Per lead and level: the shift, in widths of the band, after which the stated part of past values lies below the
 * level.
 */
export function computeShifts(
  trials: CalibrationTrial[],
  levels: number[],
  leads: number[],
  halfLife: number,
): number[][] {
  return leads.map((lead) => {
    const own = trials.filter((trial) => trial.lead === lead)
    const used = own.length >= MIN_TRIALS ? own : trials
    if (used.length === 0) return levels.map(() => 0)
    const weights = used.map(({ age }) => 0.5 ** (age / halfLife))
    return levels.map((level, order) => {
      const errors = used.map((trial) => (trial.y - (trial.levels[order] ?? 0)) / getBandWidth(trial.levels))
      return roundToSixDigits(computeWeightedQuantile(errors, weights, level))
    })
  })
}

/** Levels after their shift, in order and within what the plant can produce. */
export function applyShifts(levels: number[], shifts: number[]): number[] {
  const width = getBandWidth(levels)
  return levels
    .map((level, order) => Math.min(1.05, Math.max(0, level + (shifts[order] ?? 0) * width)))
    .sort((a, b) => a - b)
}

/** Factors on the distance of each edge of a band from its middle, as fitted: 1 leaves the edge in place. */
type BandEdges = { low: number; high: number }
/** A band as fitted and issued, by hour; `counts` where the sun was up. */
export type PastBand = Pick<PowerSeries, 'startsAt' | 'step'> & {
  low: ArrayLike<number>
  middle: ArrayLike<number>
  high: ArrayLike<number>
  counts: ArrayLike<number>
}

const DAY = 1440
/** Recent errors reflect the present state of the plant and the season. */
const WINDOW_DAYS = 14
/** With fewer hours than this, a lead is not corrected. */
const MIN_HOURS = 60
/** An edge closer to the middle than this part of the peak power cannot scale an error. */
const MIN_EDGE_SHARE = 0.01
const LEVELS = { low: 0.1, high: 0.9 }
const UNMOVED_EDGES: BandEdges = { low: 1, high: 1 }

type EdgeMisses = { low: number[]; high: number[] }

/** By lead: how far measured values lay below and above the middle, in distances to the edges. */
function collectMisses(past: PastBand[], known: PowerSeries, until: number, narrow: number): EdgeMisses[] {
  const missed: EdgeMisses[] = []
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

/** The distance beyond which one in ten of the measured values lay. */
function computeEdge(ratios: number[], level: number): number {
  const edge = computePredictiveQuantile(Float64Array.from(ratios).sort(), level)
  return Number.isNaN(edge) ? 1 : Math.max(0, edge)
}

/**
 * By days ahead, the edges that make the next band hold its stated share, from the errors of the recent forecasts
 * against what was measured since. `known` ends with what is known at the issue.
 */
export function computeBandEdges(past: PastBand[], known: PowerSeries, until: number, peakWatts: number): BandEdges[] {
  return Array.from(collectMisses(past, known, until, MIN_EDGE_SHARE * peakWatts), (own) =>
    own && own.low.length >= MIN_HOURS
      ? { low: computeEdge(own.low, LEVELS.high), high: computeEdge(own.high, LEVELS.high) }
      : UNMOVED_EDGES,
  )
}

/** The forecast with its outer levels moved; its middle, and hours with a forecast of zero, stay as they are. */
export function applyBandEdges(issued: PowerForecast, edges: BandEdges[], peakWatts: number): PowerForecast {
  const { levels, values, step } = issued
  const [low, middle, high] = [LEVELS.low, 0.5, LEVELS.high].map((level) => values[levels.indexOf(level)])
  if (!low || !middle || !high || edges.every((own) => own === UNMOVED_EDGES)) return issued
  const [least, most] = [low.slice(), high.slice()]
  const narrow = MIN_EDGE_SHARE * peakWatts
  for (let at = 0; at < middle.length; at++) {
    const [mid, own] = [middle[at] ?? 0, edges[Math.floor((at * step) / DAY)] ?? UNMOVED_EDGES]
    if (mid <= 0 || own === UNMOVED_EDGES) continue
    least[at] = Math.max(0, Math.round(mid - own.low * Math.max(mid - (low[at] ?? 0), narrow)))
    most[at] = Math.min(
      Math.round(1.05 * peakWatts),
      Math.round(mid + own.high * Math.max((high[at] ?? 0) - mid, narrow)),
    )
    if ((most[at] ?? 0) < mid) most[at] = mid
  }
  return { ...issued, values: values.map((level) => (level === low ? least : level === high ? most : level)) }
}
