import { computeTimeClasses, TIME_CLASSES, type TimeCalendar } from '../calendar/time-classes.ts'
import type { PowerSeries } from '../series/series.ts'

/** Energy prices in c€/kWh by time class, fixed ones in € a year; `perKva` is multiplied by the subscribed power. */
type ClassPrices = { HPH: number; HCH: number; HPB: number; HCB: number }
type GridOption = {
  name: string
  management: number
  metering: number
  perKva: number
  grid: ClassPrices
  shared: ClassPrices
}
export type GridOptionCost = { name: string; euros: number }

const toFlatPrices = (price: number): ClassPrices => ({ HPH: price, HCH: price, HPB: price, HCB: price })
const toTwoRatePrices = (peak: number, off: number): ClassPrices => ({ HPH: peak, HCH: off, HPB: peak, HCB: off })
const toClassPrices = (HPH: number, HCH: number, HPB: number, HCB: number): ClassPrices => ({ HPH, HCH, HPB, HCB })
const buildGridOption = (name: string, perKva: number, grid: ClassPrices): GridOption => {
  return { name, management: 16.8, metering: 22, perKva, grid, shared: grid }
}
const buildCollectiveOption = (name: string, perKva: number, grid: ClassPrices, shared: ClassPrices): GridOption => {
  return { name, management: 21.27, metering: 22, perKva, grid, shared }
}

/**
 * TURPE 7, low voltage up to 36 kVA, from 1 August 2025; `shared` prices apply to energy allocated by the operation.
 */
export const TURPE_7: GridOption[] = [
  buildGridOption('CUST', 11.07, toFlatPrices(4.84)),
  buildGridOption('MUDT', 13.49, toTwoRatePrices(4.94, 3.5)),
  buildGridOption('LU', 93.13, toFlatPrices(1.25)),
  buildGridOption('CU4', 10.11, toClassPrices(7.49, 3.97, 1.66, 1.16)),
  buildGridOption('MU4', 12.12, toClassPrices(7, 3.73, 1.61, 1.11)),
  buildCollectiveOption(
    'CU4 autoproduction collective',
    10.11,
    toClassPrices(7.52, 4.03, 1.73, 1.21),
    toClassPrices(2.86, 1.28, 0.76, 0.49),
  ),
  buildCollectiveOption(
    'MU4 autoproduction collective',
    12.12,
    toClassPrices(7.04, 3.76, 1.61, 1.15),
    toClassPrices(2.6, 1.23, 0.75, 0.49),
  ),
]

const YEAR_MINUTES = 365 * 1440

/** The time class of each step; the same for all curves over the same steps. */
export const computeGridClasses = ({ startsAt, step, watts }: PowerSeries, calendar: TimeCalendar) =>
  computeTimeClasses(startsAt, startsAt + watts.length * step, step, { ...calendar, peak: false })

/**
 * What each option would have cost in a year, from the curve of a consumer and what the operation allocated to it (same
 * steps); cheapest first. A curve of less or more than a year is scaled to a year by its known steps. Null without any.
 */
export function compareGridOptions(
  { startsAt, step, watts }: PowerSeries,
  received: ArrayLike<number>,
  kva: number,
  calendar: TimeCalendar,
  options: GridOption[] = TURPE_7,
  classes: ArrayLike<number> = computeGridClasses({ startsAt, step, watts }, calendar),
): GridOptionCost[] | null {
  const energy = { grid: toClassPrices(0, 0, 0, 0), shared: toClassPrices(0, 0, 0, 0) }
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
  const yearly = (prices: ClassPrices, of: ClassPrices) =>
    (['HPH', 'HCH', 'HPB', 'HCB'] as const).reduce((sum, name) => sum + prices[name] * of[name], 0) / 60 / 1000 / 100
  return options
    .map((option) => {
      const variable = yearly(option.grid, energy.grid) + yearly(option.shared, energy.shared)
      const fixed = option.management + option.metering + option.perKva * kva
      return { name: option.name, euros: fixed + (variable * YEAR_MINUTES) / known }
    })
    .sort((a, b) => a.euros - b.euros)
}
