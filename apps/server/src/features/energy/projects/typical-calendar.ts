import { dayStart, localTime } from '@voisol/energy/calendar'
import { TYPICAL_STEPS, TYPICAL_YEAR } from '@voisol/energy/model/typical'

export const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const
/** December counts with the winter it opens. */
const seasonOf = (month: number) => Math.floor((month % 12) / 3)

type Calendar = { days: string[]; month: Uint8Array; hour: Uint8Array; season: Uint8Array }
let known: Calendar | undefined

/** For each hour of the typical year: its day, month from 1, hour of the wall clock and season. */
export function typicalCalendar(): Calendar {
  if (known) return known
  const from = dayStart(`${TYPICAL_YEAR}-01-01`)
  const hours = Array.from({ length: TYPICAL_STEPS }, (_, at) => localTime(from + at * 60))
  const month = Uint8Array.from(hours, ({ day }) => Number(day.slice(5, 7)))
  known = {
    days: hours.map(({ day }) => day),
    month,
    hour: Uint8Array.from(hours, ({ minuteOfDay }) => Math.floor(minuteOfDay / 60)),
    season: month.map(seasonOf),
  }
  return known
}
