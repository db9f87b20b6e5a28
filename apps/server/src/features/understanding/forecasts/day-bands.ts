import type { ForecastDay } from '@voisol/contract/forecasts'
import { addDays, dayStart, minutesOfDay, stepsOfDay } from '@voisol/energy/calendar'
import { computePredictiveQuantile } from '@voisol/energy/forecast/quantile'
import { MISSING, type Step } from '@voisol/energy/series'
import type { forecastScores } from '../../../db/schema/index.ts'

/** Whole days of errors needed for a daily band. */
const MIN_ERROR_DAYS = 14

type DayScore = Pick<typeof forecastScores.$inferSelect, 'day' | 'lead' | 'expected' | 'steps' | 'signed'>
export type ForecastCurves = {
  startsAt: number
  step: Step
  low: Int32Array
  middle: Int32Array
  high: Int32Array
  persistence: Int32Array
  measured: Int32Array
}

const roundToInteger = (value: number) => Math.round(value)

/** Watt-hours of some steps; null when one is unknown. */
function computeEnergyWh(watts: Int32Array, at: number, steps: number, step: number): number | null {
  let sum = 0
  for (let n = at; n < at + steps; n++) {
    const value = watts[n] ?? MISSING
    if (value < 0) return null
    sum += value
  }
  return roundToInteger((sum * step) / 60)
}

/** Measured minus forecast energy, in watt-hours, of fully measured days at that lead. */
const listDayErrors = (scores: DayScore[], lead: number) =>
  scores
    .filter((score) => score.lead === lead && score.steps === score.expected)
    .map(({ signed, day, expected }) => (-signed * (minutesOfDay(day) / expected)) / 60)
    .sort((a, b) => a - b)

/** Quantiles of steps do not add up to those of a day, so the daily band comes from past daily errors. */
export function buildForecastDays(
  issuedOn: string,
  days: number,
  curves: ForecastCurves,
  scores: DayScore[],
): ForecastDay[] {
  const { startsAt, step } = curves
  return Array.from({ length: days }, (_, lead) => {
    const day = addDays(issuedOn, lead)
    const at = (dayStart(day) - startsAt) / step
    const sum = (watts: Int32Array) => computeEnergyWh(watts, at, stepsOfDay(day, step), step)
    const middle = sum(curves.middle)
    const errors = listDayErrors(scores, lead)
    const measured = { persistence: sum(curves.persistence), measured: sum(curves.measured) }
    if (middle === null || errors.length < MIN_ERROR_DAYS)
      return { day, middle, low: sum(curves.low), high: sum(curves.high), band: 'bounds', ...measured }
    const low = Math.max(0, roundToInteger(middle + Math.min(0, computePredictiveQuantile(errors, 0.1))))
    const high = roundToInteger(middle + Math.max(0, computePredictiveQuantile(errors, 0.9)))
    return { day, middle, low, high, band: 'measured', ...measured }
  })
}
