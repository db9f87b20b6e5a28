import { addDays, addMonths, localTime } from '@voisol/energy/calendar'
import type { Store } from './store.ts'

/** Yesterday is published at eight. */
const PUBLISHED = 8 * 60
const EXTRA_DAYS = 15

/** The sandbox's own time, which can be set and then goes on. */
export type Moment = { ms: number; today: string; published: string }

export function momentOf(ms: number): Moment {
  const { day, minuteOfDay } = localTime(Math.floor(ms / 60_000))
  return { ms, today: day, published: addDays(day, minuteOfDay >= PUBLISHED ? -1 : -2) }
}

export const nowOf = ({ state }: Store): number => Date.now() + state.ahead

/** The first day that is still kept. */
export const historyOf = ({ today }: Moment, months: number): string => addDays(addMonths(today, -months), -EXTRA_DAYS)
