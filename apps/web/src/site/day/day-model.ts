import { formatNumber } from '../../lib/format.ts'
import totals from './totals.json'

/** Watt-minutes of each quarter of an hour, as the demonstration's own run gave them. */
type DayTotals = { production: number[]; shared: number[]; consumed: number[] }
export type Neighbour = { name: string; consumed: number[]; received: number[] }
export type Quarter = { produced: number; shared: number; surplus: number; consumed: number }

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** What the whole operation did in a quarter; the surplus is what nobody received. */
export function getQuarter({ production, shared, consumed }: DayTotals, index: number): Quarter {
  const [producedEnergy, sharedEnergy] = [production[index] ?? 0, shared[index] ?? 0]
  return {
    produced: producedEnergy,
    shared: sharedEnergy,
    surplus: producedEnergy - sharedEnergy,
    consumed: consumed[index] ?? 0,
  }
}

export const listQuarters = (totals: DayTotals) => totals.production.map((_, index) => getQuarter(totals, index))

export function sumDay(totals: DayTotals): Quarter {
  const quarters = listQuarters(totals)
  const of = (key: keyof Quarter) => sum(quarters.map((quarter) => quarter[key]))
  return { produced: of('produced'), shared: of('shared'), surplus: of('surplus'), consumed: of('consumed') }
}

/** The part of a consumption that came from the roof, from 0 to 1. */
export const computeLocalShare = (consumed: number, received: number) => (consumed > 0 ? received / consumed : 0)

const formatQuarterStart = (index: number) =>
  `${Math.floor(index / 4)}\u00a0h\u00a0${String((index % 4) * 15).padStart(2, '0')}`
export const formatQuarter = (index: number) => `${formatQuarterStart(index)} – ${formatQuarterStart(index + 1)}`

/** In kilowatt-hours with two decimals; the surplus is the difference of the two others, so that what is read adds up. */
export function formatQuarterFigures({ produced, shared }: Pick<Quarter, 'produced' | 'shared'>) {
  const hundredths = (wattMinutes: number) => Math.round(wattMinutes / 600)
  const [made, given] = [hundredths(produced), hundredths(shared)]
  const words = (value: number) => formatNumber(value / 100, 2)
  return { produced: words(made), shared: words(given), surplus: words(made - given) }
}

/** What the slider says aloud. */
export function describeQuarter(figures: DayTotals, index: number): string {
  const { produced, shared, surplus } = formatQuarterFigures(getQuarter(figures, index))
  return `${formatQuarter(index)}\u00a0: ${produced}\u00a0kWh produits, ${shared} partagés, ${surplus} de surplus`
}

const parseSeries = (text: string) => text.split(' ').map(Number)

/** A day of the demonstration, written by `npm run screenshots`. */
export const dayTotals: DayTotals = {
  production: parseSeries(totals.production),
  shared: parseSeries(totals.shared),
  consumed: parseSeries(totals.consumed),
}
