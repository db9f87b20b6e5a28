import { dayOf, daysBetween } from '../calendar/calendar.ts'
import { MISSING, type Series } from '../series/series.ts'
import { type Kind, kindAt } from './day-kinds.ts'
import { type LoadDay, loadDays, slotAt } from './load-days.ts'
import { nextBelow } from './quantile.ts'
import type { Ask, Forecast } from './types.ts'

const WEEKS = 28
/** Days that are looked at: those of the profile, and as many to have forecast them from. */
const READ = 2 * WEEKS + 2
/** What a day weighs by its age. */
const FADES = Float64Array.from({ length: READ + 1 }, (_, age) => 0.9 ** age)
/** Days that a day must have before it to be forecast again for the sake of its error. */
const WARM_UP = 7

const numberOf = (day: string) => daysBetween('1970-01-01', day)

/** Mean of the same kind of day over four weeks, younger days weighing more; any day where that kind was not seen. */
export function profileAt(days: LoadDay[], slot: number, kind: Kind, last: number): number {
  const mean = (only: boolean): number => {
    let [sum, weights] = [0, 0]
    for (const { number, kind: own, watts } of days) {
      const age = last - number
      const value = watts[slot] ?? Number.NaN
      if (age < 0 || age >= WEEKS || (only && own !== kind) || Number.isNaN(value)) continue
      const weight = FADES[age] ?? 0
      sum += weight * value
      weights += weight
    }
    return weights > 0 ? sum / weights : Number.NaN
  }
  const same = mean(true)
  return Number.isNaN(same) ? mean(false) : same
}

/** Errors of the recipe at a time of day on the days it has just been through, as far ahead of what was known then: measured less said. */
function errorsAt(days: LoadDay[], slot: number, last: number, lead: number): Float64Array {
  const first = days.reduce((least, { number }) => Math.min(least, number), last)
  const errors = days
    .filter(({ number }) => number - lead - first >= WARM_UP && number > last - WEEKS)
    .map(({ number, kind, watts }) => {
      return (watts[slot] ?? Number.NaN) - profileAt(days, slot, kind, number - 1 - lead)
    })
  return Float64Array.from(errors.filter((error) => !Number.isNaN(error))).sort()
}

/**
 * Consumption by the profile of like days. The middle level is that profile, the others are as far from it as past values were
 * at that time of day, as many days ahead; -1 where nothing was ever measured, and beside the middle where too few errors were.
 */
export function forecastLoad(ask: Ask, recent: Series, levels: number[] = [0.1, 0.5, 0.9]): Forecast {
  const { startsAt, step, steps } = ask
  const today = numberOf(dayOf(ask.issuedAt))
  const days = loadDays(recent, step, ask.issuedAt - READ * 1440, ask.issuedAt).filter(({ number }) => number < today)
  const last = days.reduce(
    (latest, { number, watts }) => (watts.some((v) => v >= 0) ? Math.max(latest, number) : latest),
    0,
  )
  const seen = new Map<number, Float64Array>()
  const errorsOf = (slot: number, lead: number) => {
    const key = lead * 1440 + slot
    const known = seen.get(key) ?? errorsAt(days, slot, last, lead)
    seen.set(key, known)
    return known
  }
  const values = levels.map(() => new Int32Array(steps))
  for (let at = 0; at < steps; at++) {
    const minute = startsAt + at * step
    const slot = slotAt(minute, step)
    const lead = Math.max(0, numberOf(dayOf(minute)) - last - 1)
    const said = bandAround(profileAt(days, slot, kindAt(minute), last), errorsOf(slot, lead), levels)
    for (const [order, level] of values.entries()) level[at] = said[order] ?? MISSING
  }
  return { startsAt, step, levels, values, source: Array.from({ length: steps }, () => 'history') }
}

function bandAround(middle: number, errors: Float64Array, levels: number[]): number[] {
  if (Number.isNaN(middle)) return levels.map(() => MISSING)
  return levels.map((level) => {
    if (level === 0.5) return Math.round(middle)
    const error = nextBelow(errors, level)
    if (Number.isNaN(error)) return MISSING
    return Math.max(0, Math.round(middle + (level < 0.5 ? Math.min(0, error) : Math.max(0, error))))
  })
}
