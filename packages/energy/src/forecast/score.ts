import type { Coordinates } from '../model/climate.ts'
import { computeSunPosition } from '../model/sun.ts'
import { MISSING, type Step } from '../series/series.ts'

/** Measured values with their forecasts; a pair whose measured side is missing (NaN or below zero) does not count. */
type Values = ArrayLike<number>

function averageKnown(measured: Values, of: (value: number, at: number) => number): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < measured.length; at++) {
    const value = measured[at] ?? Number.NaN
    if (Number.isNaN(value) || value < 0) continue
    sum += of(value, at)
    count++
  }
  return count > 0 ? sum / count : Number.NaN
}

/** All are parts of `peak`, NaN where nothing was measured. */
export const computeNmae = (measured: Values, said: Values, peak: number): number =>
  averageKnown(measured, (value, at) => Math.abs(value - (said[at] ?? 0))) / peak

export const computeNrmse = (measured: Values, said: Values, peak: number): number =>
  Math.sqrt(averageKnown(measured, (value, at) => (value - (said[at] ?? 0)) ** 2)) / peak

/** Above zero: the forecast was too high. */
export const computeBias = (measured: Values, said: Values, peak: number): number =>
  averageKnown(measured, (value, at) => (said[at] ?? 0) - value) / peak

export const computePinball = (measured: Values, said: Values, level: number, peak: number): number =>
  averageKnown(measured, (value, at) => {
    const error = value - (said[at] ?? 0)
    return error > 0 ? level * error : (level - 1) * error
  }) / peak

/** Part of the values within the band, its bounds included. */
export const computeBandCoverage = (measured: Values, low: Values, high: Values): number =>
  averageKnown(measured, (value, at) => (value >= (low[at] ?? 0) && value <= (high[at] ?? 0) ? 1 : 0))

/** 1 is perfect, 0 as good as the other, below zero worse. */
export const computeSkill = (error: number, ofPersistence: number): number => 1 - error / ofPersistence

/** Measured values (-1 where missing or only estimated) with the forecast and persistence at the same steps. */
type ScoredSeries = {
  startsAt: number
  step: Step
  measured: ArrayLike<number>
  levels: number[]
  said: ArrayLike<number>[]
  persistence: ArrayLike<number>
  /**
   * With a place, only steps with the sun above 3° count for the band, since night is easy to forecast. Null: every
   * step counts.
   */
  place: Coordinates | null
  /**
   * For a surplus: a band that begins at zero cannot be missed from below, so it is not counted among the open ones.
   */
  aboveZero?: boolean
  /** For a consumption, which exists at night too: open bands are counted at every hour. */
  atNight?: boolean
}

/** Sums in watts over the steps where all three values exist: they add up over days. */
type ScoreSums = {
  steps: number
  measured: number
  absolute: number
  /** Forecast less measured. */
  signed: number
  /** Error of persistence, on the same steps. */
  persistence: number
  /** All bands forecast while the sun was up: the rule by which every forecast is scored. */
  bandSteps: number
  covered: number
  /** Pinball loss, mean over the levels. */
  pinball: number
  /** Counted apart: the bands that can be missed on either side. */
  openSteps: number
  openCovered: number
}

const MIN_SUN_ELEVATION = 3

const isSunUp = (place: Coordinates | null, minute: number) =>
  place === null || computeSunPosition(minute, place.latitude, place.longitude).elevation > MIN_SUN_ELEVATION

const computePinballLoss = (error: number, level: number) => (error > 0 ? level * error : (level - 1) * error)

const NO_BAND = { bandSteps: 0, covered: 0, pinball: 0, openSteps: 0, openCovered: 0 }

/** A step without a measure, a forecast or a persistence value is not counted. */
export function scoreSteps(pairs: ScoredSeries): ScoreSums {
  const { startsAt, step, measured, levels, said, persistence, place, aboveZero = false, atNight = false } = pairs
  const sums = { steps: 0, measured: 0, absolute: 0, signed: 0, persistence: 0, ...NO_BAND }
  const middle = said[Math.max(0, levels.indexOf(0.5))]
  const [low, high] = [said[0], said.at(-1)]
  for (let at = 0; at < measured.length; at++) {
    const value = measured[at] ?? MISSING
    const [mid, past] = [middle?.[at] ?? MISSING, persistence[at] ?? MISSING]
    if (value < 0 || mid < 0 || past < 0) continue
    sums.steps++
    sums.measured += value
    sums.absolute += Math.abs(mid - value)
    sums.signed += mid - value
    sums.persistence += Math.abs(past - value)
    const [least, most] = [low?.[at] ?? MISSING, high?.[at] ?? MISSING]
    // Without a band there is none to score.
    if (least < 0 || most < least) continue
    const within = value >= least && value <= most ? 1 : 0
    const up = isSunUp(place, startsAt + at * step + step / 2)
    if (up) {
      sums.bandSteps++
      sums.covered += within
      sums.pinball +=
        levels.reduce((sum, level, i) => sum + computePinballLoss(value - (said[i]?.[at] ?? 0), level), 0) /
        levels.length
    }
    if (!(up || atNight) || most === least || (aboveZero && least === 0)) continue
    sums.openSteps++
    sums.openCovered += within
  }
  return sums
}
