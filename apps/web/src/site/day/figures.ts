import written from './day.json'
import type { DayFigures } from './model.ts'

const series = (text: string) => text.split(' ').map(Number)

/** A day of the demonstration, written by `npm run screenshots`. */
export const dayFigures: DayFigures = {
  day: written.day,
  operation: written.operation,
  production: series(written.production),
  neighbours: written.neighbours.map(({ name, consumed, received }) => ({
    name,
    consumed: series(consumed),
    received: series(received),
  })),
}
