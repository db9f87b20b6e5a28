import { addDays, addMonths, localTime } from '@voisol/energy/calendar'
import type { SimulatorStore } from './store.ts'

/** The data of yesterday are published at eight. */
const PUBLICATION_MINUTE = 8 * 60
const EXTRA_DAYS = 15

/** The simulator's clock, which can be set and then continues. */
export type SimulatorMoment = { ms: number; today: string; published: string }

export function toMoment(ms: number): SimulatorMoment {
  const { day, minuteOfDay } = localTime(Math.floor(ms / 60_000))
  return { ms, today: day, published: addDays(day, minuteOfDay >= PUBLICATION_MINUTE ? -1 : -2) }
}

export const getSimulatorNow = ({ state }: SimulatorStore): number => Date.now() + state.ahead

/** The first day of the retained history. */
export const getHistoryStart = ({ today }: SimulatorMoment, months: number): string =>
  addDays(addMonths(today, -months), -EXTRA_DAYS)
