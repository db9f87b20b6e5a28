import type { Neighbour } from './model.ts'
import written from './neighbours.json'

const parseSeries = (text: string) => text.split(' ').map(Number)

/** The same day, neighbour by neighbour: read by whoever opens the table, and not before. */
export const neighbours: Neighbour[] = written.map(({ name, consumed, received }) => ({
  name,
  consumed: parseSeries(consumed),
  received: parseSeries(received),
}))
