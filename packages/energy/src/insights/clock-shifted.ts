import { computePvWatts, type PvPlant } from '../model/pv.ts'
import type { PowerSeries } from '../series/series.ts'
import { type InsightFinding, isMostlyKnown } from './finding.ts'
import { computeCorrelation } from './inverted-point.ts'

/**
 * Minutes by which the curve is later than the sun (negative: earlier); the correlations are those of the fortnight.
 */
export type ClockShiftFinding = InsightFinding<
  'clock-shifted',
  { minutes: number; steadyDays: number; days: number; asIs: number; shifted: number }
>

const WINDOW_DAYS = 14
const MIN_STEADY_DAYS = 11
const MAX_LAG_MINUTES = 180
/**
 * An orientation known to a few degrees only shifts the curve by up to half an hour: below this, nothing is reported.
 */
const MIN_SHIFT_MINUTES = 45

/** The lag, in steps, at which `curve` resembles `model` the most; among equals the one closest to zero. */
function findBestLag(
  curve: Float64Array,
  model: Float64Array,
  reach: number,
): { lag: number; like: number; asIs: number } {
  const inner = model.subarray(reach, model.length - reach)
  let [best, like, asIs] = [0, Number.NEGATIVE_INFINITY, 0]
  for (let at = 0; at <= 2 * reach; at++) {
    const lag = at % 2 === 0 ? at / 2 : -(at + 1) / 2
    const found = computeCorrelation(curve.subarray(reach + lag, reach + lag + inner.length), inner)
    if (lag === 0) asIs = found
    if (found > like + 1e-9) [best, like] = [lag, found]
  }
  return { lag: best, like, asIs }
}

/**
 * A plant whose curve has been early or late against the sun on its panels by the same amount for a fortnight. Judged
 * on the last days given.
 */
export function detectClockShift({ startsAt, step, watts }: PowerSeries, plant: PvPlant): ClockShiftFinding | null {
  const perDay = 1440 / step
  const reach = Math.floor(MAX_LAG_MINUTES / step)
  const first = watts.length - WINDOW_DAYS * perDay - 2 * reach
  if (first < 0 || !isMostlyKnown(watts.subarray(first))) return null
  const curve = Float64Array.from(watts.subarray(first), (value) => (value < 0 ? Number.NaN : value))
  const model = Float64Array.from(computePvWatts(plant, startsAt + first * step, curve.length, step))
  const whole = findBestLag(curve, model, reach)
  if (Math.abs(whole.lag * step) < MIN_SHIFT_MINUTES) return null
  const lags = Array.from({ length: WINDOW_DAYS }, (_, day) => {
    const [from, to] = [day * perDay, (day + 1) * perDay + 2 * reach]
    return findBestLag(curve.subarray(from, to), model.subarray(from, to), reach)
  })
  const near = Math.max(1, Math.round(30 / step))
  const steadyDays = lags.filter(({ lag, like }) => like > 0 && Math.abs(lag - whole.lag) <= near).length
  if (steadyDays < MIN_STEADY_DAYS) return null
  return {
    rule: 'clock-shifted',
    statistic: Math.abs(whole.lag * step),
    threshold: MIN_SHIFT_MINUTES,
    confidence: Math.min(0.95, 0.4 + steadyDays / (2 * WINDOW_DAYS) + Math.max(0, whole.like - whole.asIs)),
    evidence: { minutes: whole.lag * step, steadyDays, days: WINDOW_DAYS, asIs: whole.asIs, shifted: whole.like },
  }
}
