import { and, eq, gte, inArray } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import { fieldError } from '../../../http/errors.ts'
import {
  formatFullDay,
  getLastBookableDay,
  getNow,
  getSlotStart,
  isWorkingDay,
  listBookableDays,
  listBookableHours,
  MIN_NOTICE_MINUTES,
  toBookingDay,
} from './days.ts'

/** Those that hold their half hour. */
export const ACTIVE_BOOKING_STATUSES = ['booked', 'confirmed']
export const isActiveBooking = and(
  eq(bookings.companyId, SITE_OWNER_ID),
  inArray(bookings.status, ACTIVE_BOOKING_STATUSES),
)

export async function listFreeSlots(db: Db) {
  const at = getNow()
  const rows = await db
    .select({ startsAt: bookings.startsAt })
    .from(bookings)
    .where(and(isActiveBooking, gte(bookings.startsAt, new Date(at.epochMilliseconds))))
  const taken = new Set(rows.map(({ startsAt }) => startsAt.getTime()))
  const days = listBookableDays(at)
    .map(({ day, hours }) => ({
      day,
      free: hours.filter((time) => !taken.has(getSlotStart(day, time).epochMilliseconds)) as string[], // hours of the contract
    }))
    .filter(({ free }) => free.length > 0)
  // The last day is one that can be chosen.
  return { days, from: toBookingDay(at), to: getLastBookableDay(at) }
}

/** The instant of a slot that may be asked for now, taken or not. `path` names the field that holds the day. */
export function requireSlot(day: string, time: string, path: 'date' | 'day'): Date {
  const at = getNow()
  const [first, last] = [toBookingDay(at), getLastBookableDay(at)]
  const range = `choisissez un jour du ${formatFullDay(first)} au ${formatFullDay(last)}`
  // Not compared as texts: an instant of the year 9999 may fall on a day of 10000.
  const wanted = Temporal.PlainDate.from(day)
  if (Temporal.PlainDate.compare(wanted, first) < 0) throw fieldError(path, `Cette date est passée\u00a0: ${range}.`)
  if (Temporal.PlainDate.compare(wanted, last) > 0)
    throw fieldError(path, `Cette date est trop lointaine\u00a0: ${range}.`)
  if (!isWorkingDay(day)) throw fieldError(path, 'Les démonstrations ont lieu du lundi au vendredi, hors jours fériés.')
  const hours: string[] = listBookableHours(day, at)
  if (!hours.includes(time)) {
    const left = hours.length ? `encore possible ce jour-là\u00a0: ${hours.join(', ')}` : 'choisissez un autre jour'
    throw fieldError('time', `Un créneau se réserve au moins ${MIN_NOTICE_MINUTES} minutes à l’avance\u00a0; ${left}.`)
  }
  return new Date(getSlotStart(day, time).epochMilliseconds)
}

export const buildSlotTakenError = () =>
  fieldError('time', 'Ce créneau vient d’être réservé. Choisissez-en un autre.', 'conflict')
