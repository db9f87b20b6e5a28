import { localTime } from '../calendar/calendar.ts'
import type { Step } from '../series/series.ts'
import { quantile } from './quantile.ts'
import type { Forecast } from './types.ts'

/** Production less consumption, in watts, as it was issued and as it was measured; NaN where unknown. */
export type PastNet = { startsAt: number; step: Step; said: ArrayLike<number>; measured: ArrayLike<number> }
/** `chance` that something is left at each step; null where too few forecasts were scored to say. */
export type Surplus = Forecast & { chance: (number | null)[] }

/** Scored steps that an hour of the day needs before it speaks for itself. */
const ENOUGH = 14

const hourAt = (minute: number) => Math.floor(localTime(minute).minuteOfDay / 60)

function errorsByHour(past: PastNet[]): Float64Array[] {
  const hours: number[][] = Array.from({ length: 24 }, () => [])
  for (const { startsAt, step, said, measured } of past)
    for (let at = 0; at < measured.length; at++) {
      const error = (measured[at] ?? Number.NaN) - (said[at] ?? Number.NaN)
      if (!Number.isNaN(error)) hours[hourAt(startsAt + at * step)]?.push(error)
    }
  return hours.map((_, hour) => {
    // An hour with too few errors asks its neighbours, never farther than two hours.
    for (let reach = 0; reach <= 2; reach++) {
      const near = hours.filter((__, other) => Math.abs(other - hour) <= reach).flat()
      if (near.length >= ENOUGH) return Float64Array.from(near).sort()
    }
    return new Float64Array(0)
  })
}

const middleOf = ({ levels, values }: Forecast, at: number): number => {
  const order = levels.reduce(
    (best, level, i) => (Math.abs(level - 0.5) < Math.abs((levels[best] ?? 0) - 0.5) ? i : best),
    0,
  )
  return values[order]?.[at] ?? -1
}

/**
 * What production leaves of consumption. Quantiles do not add: the band comes from what past forecasts of the difference missed
 * at that hour of the day. Without enough of them the middle stands alone and no chance is given.
 */
export function forecastSurplus(production: Forecast, consumption: Forecast, past: PastNet[]): Surplus {
  const { startsAt, step, levels, source } = production
  const errors = errorsByHour(past)
  const values = levels.map(() => new Int32Array(source.length))
  const chance: (number | null)[] = []
  for (let at = 0; at < source.length; at++) {
    const [made, used] = [middleOf(production, at), middleOf(consumption, at)]
    const known = errors[hourAt(startsAt + at * step)] ?? new Float64Array(0)
    const unknown = made < 0 || used < 0
    const said = unknown ? levels.map(() => -1) : band(made - used, known, levels)
    for (const [order, level] of values.entries()) level[at] = said[order] ?? -1
    chance.push(unknown || known.length === 0 ? null : chanceOf(made, made - used, known))
  }
  return { startsAt, step, levels, values, source, chance }
}

function band(net: number, errors: Float64Array, levels: number[]): number[] {
  const off = (level: number) => (level === 0.5 || errors.length === 0 ? 0 : quantile(errors, level))
  const middle = Math.max(0, net)
  return levels
    .map((level) => {
      const value = Math.max(0, Math.round(net + off(level)))
      return level < 0.5 ? Math.min(middle, value) : Math.max(middle, value)
    })
    .sort((a, b) => a - b)
}

/** Where nothing is made nothing is left, whatever was missed by day. */
function chanceOf(made: number, net: number, errors: Float64Array): number {
  if (made === 0) return 0
  return errors.filter((error) => net + error > 0).length / errors.length
}
