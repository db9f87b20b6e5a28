import { BOOKABLE_DAYS, BOOKING_SLOTS, DEMO_MINUTES } from '@voisol/contract/bookings'
import { addDays, holidays, listDays } from '@voisol/energy/calendar'

const PARIS = 'Europe/Paris'
/** The team is told this long before a demonstration begins. */
export const MIN_NOTICE_MINUTES = 60

export const getNow = () => Temporal.Instant.fromEpochMilliseconds(Date.now())
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
export const formatFullDay = (day: string) => FULL_DATE_FORMAT.format(new Date(`${day}T12:00:00Z`))
/** `jeudi 12 mars 2026 de 09:30 à 10:00 (heure de Paris)` */
export const formatSlot = (day: string, time: string) =>
  `${formatFullDay(day)} de ${time} à ${Temporal.PlainTime.from(time).add({ minutes: DEMO_MINUTES }).toString().slice(0, 5)} (heure de Paris)`
