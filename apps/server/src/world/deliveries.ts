import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { SILENT_METER_REF } from './rhone-sud.ts'

/** Days before the reference day since which the meter that falls silent has been read remotely. */
const SINCE_DAYS = 130
const EVERY_DAYS = 3

/** The day on which the readings of a day arrive: the next one as a rule, every third day for one meter. */
export function getDeliveryDay(ref: string, day: string, anchor: string): string {
  const ago = daysBetween(day, anchor)
  if (ref !== SILENT_METER_REF || ago > SINCE_DAYS) return addMonths(monthOf(day), 1)
  return addDays(day, 1 + ((((ago - 1) % EVERY_DAYS) + EVERY_DAYS) % EVERY_DAYS))
}
