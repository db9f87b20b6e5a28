import { STUCK_HOURS } from '../forecast/hourly-series.ts'
import { computeQuantile } from '../forecast/quantile.ts'
import type { Coordinates } from '../model/climate.ts'
import { computeClearSkyLight, computePvWatts, type PvPlant } from '../model/pv.ts'
import { computeSunPosition } from '../model/sun.ts'
import type { PowerSeries } from '../series/series.ts'
import { type InsightFinding, isMostlyKnown } from './finding.ts'

type MeterRole = 'producer' | 'consumer'
type InvertedPointFinding = InsightFinding<
  'inverted-point',
  { role: MeterRole; nightPart: number; correlation: number; wattHours: number; days: number }
>

const MIN_DAYS = 14
const NIGHT_ELEVATION = -3
const MAX_NIGHT_SHARE_OF_PLANT = 0.02
const MIN_NIGHT_SHARE_OF_LOAD = 0.005
const MIN_SUN_CORRELATION = 0.6

function computeCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? Number.NaN, b[at] ?? Number.NaN]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    n++
    sa += x
    sb += y
    saa += x * x
    sbb += y * y
    sab += x * y
  }
  const spreads = (n * saa - sa * sa) * (n * sbb - sb * sb)
  return spreads > 0 ? (n * sab - sa * sb) / Math.sqrt(spreads) : 0
}

/**
 * A producer that feeds in at night, or a consumer that takes nothing at night and follows the sun. Correlation alone
 * would report offices.
 */
export function detectInvertedPoint(
  { startsAt, step, watts }: PowerSeries,
  place: Coordinates,
  role: MeterRole,
): InvertedPointFinding | null {
  const days = (watts.length * step) / 1440
  if (days < MIN_DAYS || !isMostlyKnown(watts)) return null
  const heights = Float64Array.from(watts, (_, at) => {
    return computeSunPosition(startsAt + (at + 0.5) * step, place.latitude, place.longitude).elevation
  })
  let [whole, night] = [0, 0]
  for (let at = 0; at < watts.length; at++) {
    const value = Math.max(0, watts[at] ?? 0)
    whole += value
    if ((heights[at] ?? 0) < NIGHT_ELEVATION) night += value
  }
  if (whole === 0) return null
  const nightPart = night / whole
  const known = Float64Array.from(watts, (value) => (value < 0 ? Number.NaN : value))
  const like = computeCorrelation(known, heights.map(computeClearSkyLight))
  const found =
    role === 'producer'
      ? nightPart > MAX_NIGHT_SHARE_OF_PLANT
      : nightPart < MIN_NIGHT_SHARE_OF_LOAD && like > MIN_SUN_CORRELATION
  if (!found) return null
  return {
    rule: 'inverted-point',
    statistic: nightPart,
    threshold: role === 'producer' ? MAX_NIGHT_SHARE_OF_PLANT : MIN_NIGHT_SHARE_OF_LOAD,
    confidence: role === 'producer' ? Math.min(0.95, 0.5 + nightPart) : Math.min(0.95, like),
    evidence: { role, nightPart, correlation: like, wattHours: (whole * step) / 60, days },
  }
}

type SilentMeterFinding = InsightFinding<
  'stuck-meter' | 'mute-meter',
  { from: number; to: number; watts: number; estimatedWh: number }
>

const MUTE_HOURS = 72
const MIN_HISTORY_MINUTES = 14 * 1440

/** Where the last known value began to repeat, and where it ends. */
function findLastConstantRange(watts: Int32Array): [number, number] {
  let to = watts.length
  while (to > 0 && (watts[to - 1] ?? -1) < 0) to--
  let from = to
  while (from > 0 && watts[from - 1] === watts[to - 1]) from--
  return [from, to]
}

/** The same value for a day, other than zero; or zero for three days on a meter that never read zero. */
export function detectSilentMeter({ startsAt, step, watts }: PowerSeries): SilentMeterFinding | null {
  const [from, to] = findLastConstantRange(watts)
  const hours = ((to - from) * step) / 60
  const value = watts[to - 1] ?? 0
  const before = Float64Array.from(watts.subarray(0, from).filter((each) => each >= 0))
  const usual = before.length > 0 ? before.reduce((sum, each) => sum + each, 0) / before.length : 0
  const isMute =
    value === 0 &&
    hours >= MUTE_HOURS &&
    before.length * step >= MIN_HISTORY_MINUTES &&
    computeQuantile(before, 0.01) > 0
  const isStuck = value > 0 && hours >= STUCK_HOURS
  if (!isMute && !isStuck) return null
  return {
    rule: isMute ? 'mute-meter' : 'stuck-meter',
    statistic: hours,
    threshold: isMute ? MUTE_HOURS : STUCK_HOURS,
    confidence: isMute ? 0.8 : 0.9,
    evidence: { from: startsAt + from * step, to: startsAt + to * step, watts: value, estimatedWh: usual * hours },
  }
}

type ConsentEndFinding = InsightFinding<'consent-ends', { daysLeft: number }>
type DataLossFinding = InsightFinding<'data-lost', { silentDays: number; usualDelay: number; deliveries: number }>

const CONSENT_WARNING_DAYS = 60
const MIN_DELIVERIES = 20

/** `daysLeft` until a consent ends; negative once it has ended. */
export const detectConsentEnd = (daysLeft: number): ConsentEndFinding | null =>
  daysLeft > CONSENT_WARNING_DAYS
    ? null
    : {
        rule: 'consent-ends',
        statistic: daysLeft,
        threshold: CONSENT_WARNING_DAYS,
        confidence: 1,
        evidence: { daysLeft },
      }

/** Days since the last data, compared with the delays (in days) with which data of this point have come so far. */
export function detectDataLoss(silentDays: number, delays: ArrayLike<number>): DataLossFinding | null {
  if (delays.length < MIN_DELIVERIES) return null
  const usualDelay = computeQuantile(Float64Array.from(delays), 0.99)
  if (silentDays <= usualDelay) return null
  const confidence = Math.min(0.95, 0.5 + (silentDays - usualDelay) / 20)
  const evidence = { silentDays, usualDelay, deliveries: delays.length }
  return { rule: 'data-lost', statistic: silentDays, threshold: usualDelay, confidence, evidence }
}

/**
 * Minutes by which the curve is later than the sun (negative: earlier); the correlations are those of the fortnight.
 */
type ClockShiftFinding = InsightFinding<
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
