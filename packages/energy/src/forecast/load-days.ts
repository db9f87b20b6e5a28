import { dayOf, daysBetween, localTime } from '../calendar/calendar.ts'
import type { PowerSeries, Step } from '../series/series.ts'
import { type DayKind, getDayKind } from './day-kinds.ts'

/** A local day by the wall clock: mean watts of each step, NaN where unknown; an hour that occurs twice is averaged. */
export type LoadDay = { day: string; number: number; kind: DayKind; watts: Float64Array }

/** Mean watts over [minute, minute + step); NaN where any part is unknown. */
export function averageWatts({ startsAt, step, watts }: PowerSeries, minute: number, width: number): number {
  let sum = 0
  for (let at = minute; at < minute + width; ) {
    const place = Math.floor((at - startsAt) / step)
    const end = Math.min(minute + width, startsAt + (place + 1) * step)
    const value = watts[place] ?? -1
    if (value < 0) return Number.NaN
    sum += value * (end - at)
    at = end
  }
  return sum / width
}

export const getSlot = (minute: number, step: Step): number => Math.floor(localTime(minute).minuteOfDay / step)

/** Days of the wall clock between two instants, as far as the series reaches. */
export function buildLoadDays(series: PowerSeries, step: Step, from: number, to: number): LoadDay[] {
  const days = new Map<string, LoadDay & { counts: Uint8Array }>()
  const first = Math.max(from, Math.ceil(series.startsAt / step) * step)
  const last = Math.min(to, series.startsAt + series.watts.length * series.step)
  for (let minute = first; minute + step <= last; minute += step) {
    const day = dayOf(minute)
    const known = days.get(day) ?? createEmptyDay(day, minute, step)
    days.set(day, known)
    const value = averageWatts(series, minute, step)
    if (Number.isNaN(value)) continue
    const slot = getSlot(minute, step)
    const count = known.counts[slot] ?? 0
    known.watts[slot] = count === 0 ? value : ((known.watts[slot] ?? 0) * count + value) / (count + 1)
    known.counts[slot] = count + 1
  }
  return [...days.values()]
}

function createEmptyDay(day: string, minute: number, step: Step): LoadDay & { counts: Uint8Array } {
  const slots = 1440 / step
  const number = daysBetween('1970-01-01', day)
  const watts = new Float64Array(slots).fill(Number.NaN)
  return { day, number, kind: getDayKind(minute), watts, counts: new Uint8Array(slots) }
}
