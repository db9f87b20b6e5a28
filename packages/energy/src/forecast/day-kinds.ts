import { type Day, dayOf, holidays, localTime } from '../calendar/calendar.ts'

export const DAY_KINDS = ['work', 'saturday', 'rest'] as const
/** Habits follow the wall clock of Europe/Paris: working day, Saturday, Sunday or public holiday. */
export type DayKind = (typeof DAY_KINDS)[number]

const years = new Map<number, Set<Day>>()

function isHoliday(day: Day): boolean {
  const year = Number(day.slice(0, 4))
  const known = years.get(year) ?? new Set(holidays(year))
  years.set(year, known)
  return known.has(day)
}

export function getDayKind(minute: number): DayKind {
  const { weekday } = localTime(minute)
  if (weekday === 7 || isHoliday(dayOf(minute))) return 'rest'
  return weekday === 6 ? 'saturday' : 'work'
}
