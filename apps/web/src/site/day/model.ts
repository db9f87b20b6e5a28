import { number } from '../../lib/format.ts'

/** Watt-minutes of each quarter of an hour, as the demonstration's own run gave them. */
export type DayTotals = { production: number[]; shared: number[]; consumed: number[] }
export type Neighbour = { name: string; consumed: number[]; received: number[] }
export type Quarter = { produced: number; shared: number; surplus: number; consumed: number }

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** What the whole operation did in a quarter; the surplus is what nobody received. */
export function quarterOf({ production, shared, consumed }: DayTotals, index: number): Quarter {
  const [made, given] = [production[index] ?? 0, shared[index] ?? 0]
  return { produced: made, shared: given, surplus: made - given, consumed: consumed[index] ?? 0 }
}

export const quartersOf = (totals: DayTotals) => totals.production.map((_, index) => quarterOf(totals, index))

export function wholeDay(totals: DayTotals): Quarter {
  const quarters = quartersOf(totals)
  const of = (key: keyof Quarter) => sum(quarters.map((quarter) => quarter[key]))
  return { produced: of('produced'), shared: of('shared'), surplus: of('surplus'), consumed: of('consumed') }
}

/** The part of a consumption that came from the roof, from 0 to 1. */
export const localShare = (consumed: number, received: number) => (consumed > 0 ? received / consumed : 0)

const clock = (index: number) => `${Math.floor(index / 4)}\u00a0h\u00a0${String((index % 4) * 15).padStart(2, '0')}`
export const quarterName = (index: number) => `${clock(index)} – ${clock(index + 1)}`

/** In kilowatt-hours with two decimals; the surplus is the difference of the two others, so that what is read adds up. */
export function figuresOf({ produced, shared }: Pick<Quarter, 'produced' | 'shared'>) {
  const hundredths = (wattMinutes: number) => Math.round(wattMinutes / 600)
  const [made, given] = [hundredths(produced), hundredths(shared)]
  const words = (value: number) => number(value / 100, 2)
  return { produced: words(made), shared: words(given), surplus: words(made - given) }
}

/** What the slider says aloud. */
export function spoken(figures: DayTotals, index: number): string {
  const { produced, shared, surplus } = figuresOf(quarterOf(figures, index))
  return `${quarterName(index)}\u00a0: ${produced}\u00a0kWh produits, ${shared} partagés, ${surplus} de surplus`
}
