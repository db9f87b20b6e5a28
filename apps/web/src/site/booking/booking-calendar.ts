import { DEMO_MINUTES } from '@voisol/contract/bookings'
import { addDays, monthOf } from '@voisol/energy/calendar'

/** Days as they are written, 2026-03-12; a month is its first day. */
const toUtcNoon = (day: string) => new Date(`${day}T12:00:00Z`)

/** The weeks of a month, Monday first; null outside it. */
export function listMonthWeeks(month: string): (string | null)[][] {
  const lead = (toUtcNoon(month).getUTCDay() + 6) % 7
  const cells: (string | null)[] = Array.from({ length: lead }, () => null)
  for (let day = month; monthOf(day) === month; day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const createDayFormatter = (options: Intl.DateTimeFormatOptions) => {
  const made = new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...options })
  return (day: string) => made.format(toUtcNoon(day))
}
export const formatDayOfMonth = createDayFormatter({ day: 'numeric' })
export const formatBookingDay = createDayFormatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
export const formatCalendarMonth = createDayFormatter({ month: 'long', year: 'numeric' })

type DemoEvent = { day: string; time: string; name: string; company: string; projectType: string }

const EVENT_LOCATION = 'Visioconférence - Lien envoyé par email'

const formatLocalStamp = (day: string, minutes: number) => {
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join('')
  return `${day.replaceAll('-', '')}T${clock}00`
}

/** The address that puts the demonstration into a calendar; its hours are told in Paris time. */
export function buildEventLink({ day, time, name, company, projectType }: DemoEvent) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const start = hours * 60 + minutes
  const search = new URLSearchParams({
    action: 'TEMPLATE',
    text: 'Démonstration Voisol',
    dates: `${formatLocalStamp(day, start)}/${formatLocalStamp(day, start + DEMO_MINUTES)}`,
    ctz: 'Europe/Paris',
    details: `Démonstration de Voisol\nNom\u00a0: ${name}\nEntreprise\u00a0: ${company}\nType de projet\u00a0: ${projectType}`,
    location: EVENT_LOCATION,
  })
  return `https://calendar.google.com/calendar/render?${search}`
}
