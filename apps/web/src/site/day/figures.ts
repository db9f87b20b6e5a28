import type { DayTotals } from './model.ts'
import totals from './totals.json'

const series = (text: string) => text.split(' ').map(Number)

/** A day of the demonstration, written by `npm run screenshots`. */
export const dayTotals: DayTotals = {
  production: series(totals.production),
  shared: series(totals.shared),
  consumed: series(totals.consumed),
}
