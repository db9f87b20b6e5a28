import { classesOf, TIME_CLASSES, type TimeCalendar } from '../calendar/time-classes.ts'
import type { Series } from '../series/series.ts'

/** Energy prices in c€/kWh by time class, fixed ones in € a year; `perKva` is multiplied by the subscribed power. */
export type Prices = { HPH: number; HCH: number; HPB: number; HCB: number }
export type GridOption = {
  name: string
  management: number
  metering: number
  perKva: number
  grid: Prices
  shared: Prices
}
export type OptionCost = { name: string; euros: number }

const flat = (price: number): Prices => ({ HPH: price, HCH: price, HPB: price, HCB: price })
const twoRates = (peak: number, off: number): Prices => ({ HPH: peak, HCH: off, HPB: peak, HCB: off })
const four = (HPH: number, HCH: number, HPB: number, HCB: number): Prices => ({ HPH, HCH, HPB, HCB })
const plain = (name: string, perKva: number, grid: Prices): GridOption => {
  return { name, management: 16.8, metering: 22, perKva, grid, shared: grid }
}
const collective = (name: string, perKva: number, grid: Prices, shared: Prices): GridOption => {
  return { name, management: 21.27, metering: 22, perKva, grid, shared }
}

/** TURPE 7, low voltage up to 36 kVA, from 1 August 2025; `shared` is what comes from the operation. */
export const TURPE_7: GridOption[] = [
  plain('CUST', 11.07, flat(4.84)),
  plain('MUDT', 13.49, twoRates(4.94, 3.5)),
  plain('LU', 93.13, flat(1.25)),
  plain('CU4', 10.11, four(7.49, 3.97, 1.66, 1.16)),
  plain('MU4', 12.12, four(7, 3.73, 1.61, 1.11)),
  collective('CU4 autoproduction collective', 10.11, four(7.52, 4.03, 1.73, 1.21), four(2.86, 1.28, 0.76, 0.49)),
  collective('MU4 autoproduction collective', 12.12, four(7.04, 3.76, 1.61, 1.15), four(2.6, 1.23, 0.75, 0.49)),
]

const YEAR = 365 * 1440

/** The time class of each step; the same for all curves over the same steps. */
export const gridClasses = ({ startsAt, step, watts }: Series, calendar: TimeCalendar) =>
  classesOf(startsAt, startsAt + watts.length * step, step, { ...calendar, peak: false })

/**
 * What each option would have cost in a year, from a consumer's own curve and what it received of the operation (same steps);
 * cheapest first. A curve of less or more than a year is brought to a year by its known steps. Null without any.
 */
export function gridOptions(
  { startsAt, step, watts }: Series,
  received: ArrayLike<number>,
  kva: number,
  calendar: TimeCalendar,
  options: GridOption[] = TURPE_7,
  classes: ArrayLike<number> = gridClasses({ startsAt, step, watts }, calendar),
): OptionCost[] | null {
  const energy = { grid: four(0, 0, 0, 0), shared: four(0, 0, 0, 0) }
  let known = 0
  for (let at = 0; at < watts.length; at++) {
    const used = watts[at] ?? -1
    if (used < 0) continue
    known += step
    const name = TIME_CLASSES[classes[at] ?? 3] ?? 'HPB'
    if (name === 'P') continue
    const own = Math.max(0, Math.min(used, received[at] ?? 0))
    energy.shared[name] += own * step
    energy.grid[name] += (used - own) * step
  }
  if (known === 0) return null
  const yearly = (prices: Prices, of: Prices) =>
    (['HPH', 'HCH', 'HPB', 'HCB'] as const).reduce((sum, name) => sum + prices[name] * of[name], 0) / 60 / 1000 / 100
  return options
    .map((option) => {
      const variable = yearly(option.grid, energy.grid) + yearly(option.shared, energy.shared)
      const fixed = option.management + option.metering + option.perKva * kva
      return { name: option.name, euros: fixed + (variable * YEAR) / known }
    })
    .sort((a, b) => a.euros - b.euros)
}
