import { BOOKABLE_DAYS, BOOKING_SLOTS, DEMO_MINUTES } from '@voisol/contract/bookings'
import { addDays, holidays, listDays } from '@voisol/energy/calendar'
import { and, eq, gte, inArray } from 'drizzle-orm'
import { SITE_OWNER_ID } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import { fieldError } from '../../../http/errors.ts'

const PARIS = 'Europe/Paris'
/** The team is told this long before a demonstration begins. */
const MIN_NOTICE_MINUTES = 60

const getNow = () => Temporal.Instant.fromEpochMilliseconds(Date.now())
/** The local day an instant falls on. */
export const toBookingDay = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(PARIS).toPlainDate().toString()
export const getSlotStart = (day: string, time: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(PARIS).toInstant()
/** `date` of a request: an instant, or the day itself. */
export const parseRequestedDay = (date: string) =>
  date.length === 10 ? date : toBookingDay(Temporal.Instant.from(date))
export const getLastBookableDay = (at: Temporal.Instant) => addDays(toBookingDay(at), BOOKABLE_DAYS)

/** Monday to Friday, without the public holidays of article L. 3133-1 of the Code du travail. */
export function isWorkingDay(day: string): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day)
  return dayOfWeek <= 5 && !holidays(year).includes(day)
}

/** The hours of a day that are still far enough ahead. */
export const listBookableHours = (day: string, at: Temporal.Instant) => {
  const earliest = at.add({ minutes: MIN_NOTICE_MINUTES })
  return BOOKING_SLOTS.filter((time) => Temporal.Instant.compare(getSlotStart(day, time), earliest) >= 0)
}

/** Every day that can be chosen now, with its hours, whoever has taken them. */
export const listBookableDays = (at: Temporal.Instant) =>
  listDays(toBookingDay(at), addDays(getLastBookableDay(at), 1))
    .filter(isWorkingDay)
    .map((day) => ({ day, hours: listBookableHours(day, at) }))
    .filter(({ hours }) => hours.length > 0)

const FULL_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'UTC' })
/** `jeudi 12 mars 2026` */
const formatFullDay = (day: string) => FULL_DATE_FORMAT.format(new Date(`${day}T12:00:00Z`))
/** `jeudi 12 mars 2026 de 09:30 à 10:00 (heure de Paris)` */
export const formatSlot = (day: string, time: string) =>
  `${formatFullDay(day)} de ${time} à ${Temporal.PlainTime.from(time).add({ minutes: DEMO_MINUTES }).toString().slice(0, 5)} (heure de Paris)`

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
