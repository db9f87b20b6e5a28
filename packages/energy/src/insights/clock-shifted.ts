import { type Plant, pvWatts } from '../model/pv.ts'
import type { Series } from '../series/series.ts'
import { type Finding, isReceived } from './finding.ts'
import { correlation } from './inverted-point.ts'

/** Minutes by which the curve runs behind the sun (before it, below zero); the correlations are those of the fortnight. */
export type ClockShifted = Finding<
  'clock-shifted',
  { minutes: number; steadyDays: number; days: number; asIs: number; shifted: number }
>

const DAYS = 14
const STEADY = 11
const REACH = 180
/** A plane that is known to some degrees only moves the curve by half an hour, at most: below, nobody is accused. */
const LEAST = 45

/** The lag, in steps, under which `curve` resembles `model` the most; of equal ones the nearest to none. */
function bestLag(curve: Float64Array, model: Float64Array, reach: number): { lag: number; like: number; asIs: number } {
  const inner = model.subarray(reach, model.length - reach)
  let [best, like, asIs] = [0, Number.NEGATIVE_INFINITY, 0]
  for (let at = 0; at <= 2 * reach; at++) {
    const lag = at % 2 === 0 ? at / 2 : -(at + 1) / 2
    const found = correlation(curve.subarray(reach + lag, reach + lag + inner.length), inner)
    if (lag === 0) asIs = found
    if (found > like + 1e-9) [best, like] = [lag, found]
  }
  return { lag: best, like, asIs }
}

/** A plant whose curve is early or late beside the sun on its own plane, the same for a fortnight. On the last days given. */
export function clockShifted({ startsAt, step, watts }: Series, plant: Plant): ClockShifted | null {
  const perDay = 1440 / step
  const reach = Math.floor(REACH / step)
  const first = watts.length - DAYS * perDay - 2 * reach
  if (first < 0 || !isReceived(watts.subarray(first))) return null
  const curve = Float64Array.from(watts.subarray(first), (value) => (value < 0 ? Number.NaN : value))
  const model = Float64Array.from(pvWatts(plant, startsAt + first * step, curve.length, step))
  const whole = bestLag(curve, model, reach)
  if (Math.abs(whole.lag * step) < LEAST) return null
  const lags = Array.from({ length: DAYS }, (_, day) => {
    const [from, to] = [day * perDay, (day + 1) * perDay + 2 * reach]
    return bestLag(curve.subarray(from, to), model.subarray(from, to), reach)
  })
  const near = Math.max(1, Math.round(30 / step))
  const steadyDays = lags.filter(({ lag, like }) => like > 0 && Math.abs(lag - whole.lag) <= near).length
  if (steadyDays < STEADY) return null
  return {
    rule: 'clock-shifted',
    statistic: Math.abs(whole.lag * step),
    threshold: LEAST,
    confidence: Math.min(0.95, 0.4 + steadyDays / (2 * DAYS) + Math.max(0, whole.like - whole.asIs)),
    evidence: { minutes: whole.lag * step, steadyDays, days: DAYS, asIs: whole.asIs, shifted: whole.like },
  }
}
