import { and, eq, gte, inArray } from 'drizzle-orm'
import { SITE } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import { fieldError } from '../../../http/errors.ts'
import { dayAt, hoursAhead, isWorkingDay, lastDay, longDay, NOTICE_MINUTES, now, openDays, startOf } from './days.ts'

/** Those that hold their half hour. */
export const HELD = ['booked', 'confirmed']
export const isHeld = and(eq(bookings.companyId, SITE), inArray(bookings.status, HELD))

export async function freeSlots(db: Db) {
  const at = now()
  const rows = await db
    .select({ startsAt: bookings.startsAt })
    .from(bookings)
    .where(and(isHeld, gte(bookings.startsAt, new Date(at.epochMilliseconds))))
  const taken = new Set(rows.map(({ startsAt }) => startsAt.getTime()))
  const days = openDays(at)
    .map(({ day, hours }) => ({
      day,
      free: hours.filter((time) => !taken.has(startOf(day, time).epochMilliseconds)) as string[], // hours of the contract
    }))
    .filter(({ free }) => free.length > 0)
  // The last day is one that can be chosen.
  return { days, from: dayAt(at), to: lastDay(at) }
}

/** The instant of a slot that may be asked for now, taken or not. `path` names the field that holds the day. */
export function requireSlot(day: string, time: string, path: 'date' | 'day'): Date {
  const at = now()
  const [first, last] = [dayAt(at), lastDay(at)]
  const range = `choisissez un jour du ${longDay(first)} au ${longDay(last)}`
  // Not compared as texts: an instant of the year 9999 may fall on a day of 10000.
  const wanted = Temporal.PlainDate.from(day)
  if (Temporal.PlainDate.compare(wanted, first) < 0) throw fieldError(path, `Cette date est passée\u00a0: ${range}.`)
  if (Temporal.PlainDate.compare(wanted, last) > 0)
    throw fieldError(path, `Cette date est trop lointaine\u00a0: ${range}.`)
  if (!isWorkingDay(day)) throw fieldError(path, 'Les démonstrations ont lieu du lundi au vendredi, hors jours fériés.')
  const hours: string[] = hoursAhead(day, at)
  if (!hours.includes(time)) {
    const left = hours.length ? `encore possible ce jour-là\u00a0: ${hours.join(', ')}` : 'choisissez un autre jour'
    throw fieldError('time', `Un créneau se réserve au moins ${NOTICE_MINUTES} minutes à l’avance\u00a0; ${left}.`)
  }
  return new Date(startOf(day, time).epochMilliseconds)
}

export const slotTaken = () =>
  fieldError('time', 'Ce créneau vient d’être réservé. Choisissez-en un autre.', 'conflict')
