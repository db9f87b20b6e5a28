import type { DayTotals } from './model.ts'
import totals from './totals.json'

const parseSeries = (text: string) => text.split(' ').map(Number)

/** A day of the demonstration, written by `npm run screenshots`. */
export const dayTotals: DayTotals = {
  production: parseSeries(totals.production),
  shared: parseSeries(totals.shared),
  consumed: parseSeries(totals.consumed),
}
