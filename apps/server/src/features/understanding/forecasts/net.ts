import type { Forecast } from '@voisol/energy/forecast'
import type { PastNet } from '@voisol/energy/forecast/surplus'
import { MISSING, type Series } from '@voisol/energy/series'
import type { SaidNet, Span } from './task-types.ts'

/** Days of which a forecast must have been held against the meters before it tells how sure the next one is. */
const ENOUGH_DAYS = 14
const DAY = 1440

export const middleOf = ({ levels, values }: Pick<Forecast, 'levels' | 'values'>): ArrayLike<number> =>
  values[levels.indexOf(0.5)] ?? []

/** Production less consumption; NaN where either is unknown. */
export const netOf = (made: ArrayLike<number>, used: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: Math.min(made.length, used.length) }, (_, at) => {
    const [one, other] = [made[at] ?? MISSING, used[at] ?? MISSING]
    return one < 0 || other < 0 ? Number.NaN : one - other
  })

const valueAt = ({ startsAt, step, watts }: Series, minute: number): number =>
  watts[(minute - startsAt) / step] ?? MISSING

/** What was left at each step; -1 where production or consumption is unknown. */
export function surplusSeries(made: Series, used: Series): Series {
  const startsAt = Math.max(made.startsAt, used.startsAt)
  const end = Math.min(made.startsAt + made.watts.length * made.step, used.startsAt + used.watts.length * used.step)
  const watts = Int32Array.from({ length: Math.max(0, (end - startsAt) / made.step) }, (_, at) => {
    const minute = startsAt + at * made.step
    const [one, other] = [valueAt(made, minute), valueAt(used, minute)]
    return one < 0 || other < 0 ? MISSING : Math.max(0, one - other)
  })
  return { startsAt, step: made.step, watts }
}

/** Mean of production less consumption over [minute, minute + width); NaN where any part is unknown. */
function netOver(made: Series, used: Series, minute: number, width: number): number {
  let sum = 0
  for (let at = minute; at < minute + width; at += made.step) {
    const [one, other] = [valueAt(made, at), valueAt(used, at)]
    if (one < 0 || other < 0) return Number.NaN
    sum += one - other
  }
  return (sum * made.step) / width
}

/** Earlier forecasts of the difference beside what came; none before enough days of them were measured. */
export function pastOf(said: SaidNet[], span: Span, until: number, made: Series, used: Series): PastNet[] {
  const past = said
    .filter((one) => one.span === span && one.startsAt < until)
    .map(({ startsAt, step, net }) => {
      const steps = Math.min(net.length, (until - startsAt) / step)
      const measured = Float64Array.from({ length: steps }, (_, at) => netOver(made, used, startsAt + at * step, step))
      return { startsAt, step, said: net.subarray(0, steps), measured }
    })
  const days = past.filter(({ measured, step }) => measured.subarray(0, DAY / step).some((net) => !Number.isNaN(net)))
  return days.length >= ENOUGH_DAYS ? past : []
}
