import { dayStart, localTime } from '@voisol/energy/calendar'
import { TYPICAL_STEPS, TYPICAL_YEAR } from '@voisol/energy/model/typical'

export const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const
/** December counts with the winter it begins. */
const getSeason = (month: number) => Math.floor((month % 12) / 3)

type TypicalCalendar = { days: string[]; month: Uint8Array; hour: Uint8Array; season: Uint8Array }
let cachedCalendar: TypicalCalendar | undefined

/** For each hour of the typical year: its day, month from 1, local hour and season. */
export function getTypicalCalendar(): TypicalCalendar {
  if (cachedCalendar) return cachedCalendar
  const from = dayStart(`${TYPICAL_YEAR}-01-01`)
  const hours = Array.from({ length: TYPICAL_STEPS }, (_, at) => localTime(from + at * 60))
  const month = Uint8Array.from(hours, ({ day }) => Number(day.slice(5, 7)))
  cachedCalendar = {
    days: hours.map(({ day }) => day),
    month,
    hour: Uint8Array.from(hours, ({ minuteOfDay }) => Math.floor(minuteOfDay / 60)),
    season: month.map(getSeason),
  }
  return cachedCalendar
}
