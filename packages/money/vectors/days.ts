import { dayOf } from '@voisol/energy/calendar'

export type DaysInput = { start: string; step: number; watts: (number | null)[] }

/** Watt-minutes by Paris day; a missing step is none, not zero. */
export function sumWattMinutesByDay({ start, step, watts }: DaysInput): Record<string, number> {
  const first = Date.parse(start) / 60_000
  const days: Record<string, number> = {}
  for (const [at, value] of watts.entries()) {
    if (value === null) continue
    const day = dayOf(first + at * step)
    days[day] = (days[day] ?? 0) + value * step
  }
  return days
}
