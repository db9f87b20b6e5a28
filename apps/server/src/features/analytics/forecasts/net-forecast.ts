import type { PowerForecast } from '@voisol/energy/forecast'
import type { NetForecastOutcome } from '@voisol/energy/forecast/surplus'
import { MISSING, type PowerSeries } from '@voisol/energy/series'
import type { IssueSpan, PastNetForecast } from './task-types.ts'

/** Measured days needed before the certainty of a forecast is given. */
const MIN_MEASURED_DAYS = 14
const MINUTES_PER_DAY = 1440

export const getMedian = ({ levels, values }: Pick<PowerForecast, 'levels' | 'values'>): ArrayLike<number> =>
  values[levels.indexOf(0.5)] ?? []

/** Production minus consumption; NaN when either is unknown. */
export const computeNet = (production: ArrayLike<number>, consumption: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: Math.min(production.length, consumption.length) }, (_, at) => {
    const [one, other] = [production[at] ?? MISSING, consumption[at] ?? MISSING]
    return one < 0 || other < 0 ? Number.NaN : one - other
  })

const getValueAt = ({ startsAt, step, watts }: PowerSeries, minute: number): number =>
  watts[(minute - startsAt) / step] ?? MISSING

/** The surplus at each step; -1 when production or consumption is unknown. */
export function computeSurplusSeries(production: PowerSeries, consumption: PowerSeries): PowerSeries {
  const startsAt = Math.max(production.startsAt, consumption.startsAt)
  const end = Math.min(
    production.startsAt + production.watts.length * production.step,
    consumption.startsAt + consumption.watts.length * consumption.step,
  )
  const watts = Int32Array.from({ length: Math.max(0, (end - startsAt) / production.step) }, (_, at) => {
    const minute = startsAt + at * production.step
    const [one, other] = [getValueAt(production, minute), getValueAt(consumption, minute)]
    return one < 0 || other < 0 ? MISSING : Math.max(0, one - other)
  })
  return { startsAt, step: production.step, watts }
}

/** Mean of production minus consumption over [minute, minute + width); NaN when a part is unknown. */
function computeMeanNet(production: PowerSeries, consumption: PowerSeries, minute: number, width: number): number {
  let sum = 0
  for (let at = minute; at < minute + width; at += production.step) {
    const [one, other] = [getValueAt(production, at), getValueAt(consumption, at)]
    if (one < 0 || other < 0) return Number.NaN
    sum += one - other
  }
  return (sum * production.step) / width
}

/** Earlier net forecasts beside the measured values; none until enough days were measured. */
export function comparePastNet(
  pastForecasts: PastNetForecast[],
  span: IssueSpan,
  until: number,
  production: PowerSeries,
  consumption: PowerSeries,
): NetForecastOutcome[] {
  const past = pastForecasts
    .filter((one) => one.span === span && one.startsAt < until)
    .map(({ startsAt, step, net }) => {
      const steps = Math.min(net.length, (until - startsAt) / step)
      const measured = Float64Array.from({ length: steps }, (_, at) =>
        computeMeanNet(production, consumption, startsAt + at * step, step),
      )
      return { startsAt, step, said: net.subarray(0, steps), measured }
    })
  const days = past.filter(({ measured, step }) =>
    measured.subarray(0, MINUTES_PER_DAY / step).some((net) => !Number.isNaN(net)),
  )
  return days.length >= MIN_MEASURED_DAYS ? past : []
}
