import { DEMO_MINUTES } from '@voisol/contract/bookings'

export type DemoEvent = { day: string; time: string; name: string; company: string; projectType: string }

export const EVENT_LOCATION = 'Visioconférence - Lien envoyé par email'

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
