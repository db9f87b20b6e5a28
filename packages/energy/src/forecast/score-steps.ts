import type { Coordinates } from '../model/climate.ts'
import { computeSunPosition } from '../model/sun.ts'
import type { Step } from '../series/series.ts'
import { MISSING } from '../series/series.ts'

/** What was measured (-1 where it was not, or only estimated) beside what was said and what persistence said. */
export type ScoredSeries = {
  startsAt: number
  step: Step
  measured: ArrayLike<number>
  levels: number[]
  said: ArrayLike<number>[]
  persistence: ArrayLike<number>
  /** Where the sun must stand above 3° for a step to count for the band: night flatters. Null: every step counts. */
  place: Coordinates | null
  /** Of a surplus: a band that begins at nothing cannot be missed from below, and is not among the open ones. */
  aboveZero?: boolean
  /** Of a consumption: people draw by night as well, and open bands are told of every hour. */
  atNight?: boolean
}

/** Sums in watts over the steps that all could be held against: they add up over days. */
export type ScoreSums = {
  steps: number
  measured: number
  absolute: number
  /** Said less measured. */
  signed: number
  /** Of persistence, on the very same steps. */
  persistence: number
  /** Every band that was said while the sun was up: the rule that all forecasts are measured by. */
  bandSteps: number
  covered: number
  /** Mean of the levels. */
  pinball: number
  /** Told beside it: the bands that can be missed on either side. */
  openSteps: number
  openCovered: number
}

const MIN_SUN_ELEVATION = 3

const isSunUp = (place: Coordinates | null, minute: number) =>
  place === null || computeSunPosition(minute, place.latitude, place.longitude).elevation > MIN_SUN_ELEVATION

const computePinballLoss = (error: number, level: number) => (error > 0 ? level * error : (level - 1) * error)

const NO_BAND = { bandSteps: 0, covered: 0, pinball: 0, openSteps: 0, openCovered: 0 }

/** A step that was not measured, not said, or that persistence knew nothing of, counts for nobody. */
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
    // Where no band was said there is none to be judged.
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
