import { computeWeightedQuantile } from './quantile.ts'

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
