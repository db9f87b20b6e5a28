import { addDays, addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { SILENT_METER_REF } from './rhone-sud.ts'

/** Since then its meter is read from afar. */
const SINCE_DAYS = 130
const EVERY_DAYS = 3

/** The day on which a day of readings comes: once a month, but for one meter every third day, so that its silence is soon noticed. */
export function getDeliveryDay(ref: string, day: string, anchor: string): string {
  const ago = daysBetween(day, anchor)
  if (ref !== SILENT_METER_REF || ago > SINCE_DAYS) return addMonths(monthOf(day), 1)
  return addDays(day, 1 + ((((ago - 1) % EVERY_DAYS) + EVERY_DAYS) % EVERY_DAYS))
}
