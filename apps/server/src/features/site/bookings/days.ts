import { BOOKABLE_DAYS, DEMO_MINUTES, SLOTS } from '@voisol/contract/bookings'
import { addDays, holidays, listDays } from '@voisol/energy/calendar'

const PARIS = 'Europe/Paris'
/** The team is told this long before a demonstration begins. */
export const NOTICE_MINUTES = 60

export const now = () => Temporal.Instant.fromEpochMilliseconds(Date.now())
/** The local day an instant falls on. */
export const dayAt = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(PARIS).toPlainDate().toString()
export const startOf = (day: string, time: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(PARIS).toInstant()
/** `date` of a request: an instant, or the day itself. */
export const dayWanted = (date: string) => (date.length === 10 ? date : dayAt(Temporal.Instant.from(date)))
export const lastDay = (at: Temporal.Instant) => addDays(dayAt(at), BOOKABLE_DAYS)

/** Monday to Friday, without the public holidays of article L. 3133-1 of the Code du travail. */
export function isWorkingDay(day: string): boolean {
  const { dayOfWeek, year } = Temporal.PlainDate.from(day)
  return dayOfWeek <= 5 && !holidays(year).includes(day)
}

/** The hours of a day that are still far enough ahead. */
export const hoursAhead = (day: string, at: Temporal.Instant) => {
  const earliest = at.add({ minutes: NOTICE_MINUTES })
  return SLOTS.filter((time) => Temporal.Instant.compare(startOf(day, time), earliest) >= 0)
}

/** Every day that can be chosen now, with its hours, whoever has taken them. */
export const openDays = (at: Temporal.Instant) =>
  listDays(dayAt(at), addDays(lastDay(at), 1))
    .filter(isWorkingDay)
    .map((day) => ({ day, hours: hoursAhead(day, at) }))
    .filter(({ hours }) => hours.length > 0)

const LONG = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'full', timeZone: 'UTC' })
/** `jeudi 12 mars 2026` */
export const longDay = (day: string) => LONG.format(new Date(`${day}T12:00:00Z`))
/** `jeudi 12 mars 2026 de 09:30 à 10:00 (heure de Paris)` */
export const longSlot = (day: string, time: string) =>
  `${longDay(day)} de ${time} à ${Temporal.PlainTime.from(time).add({ minutes: DEMO_MINUTES }).toString().slice(0, 5)} (heure de Paris)`
