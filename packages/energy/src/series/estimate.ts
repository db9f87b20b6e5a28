import { addDays, type Day, dayOf, dayStart, holidays, localTime, offsetAt } from '../calendar/calendar.ts'
import { MISSING, type Series } from './series.ts'

/** Gaps up to this long follow a straight line. */
const SHORT_GAP_MINUTES = 120
const DAYS_AWAY = 28

export type Estimate = { values: Int32Array /** 1 where the value is an estimate. */; estimated: Uint8Array }

/**
 * Fills holes in watts: short ones by a straight line between their neighbours, longer ones with the mean of the same time of
 * day on days of the same kind over the four weeks before, and with `later` over those after where nothing came before. Only
 * measured values count; what nothing tells stays MISSING.
 */
export function estimateGaps(series: Series, { later = false } = {}): Estimate {
  const values = series.watts.slice()
  const estimated = new Uint8Array(values.length)
  const kinds = createKinds()
  for (const [from, to] of gapsOf(series.watts)) {
    const short = (to - from) * series.step <= SHORT_GAP_MINUTES && from > 0 && to < values.length
    for (let at = from; at < to; at++) {
      const before = short ? onLine(series.watts, from, to, at) : typical(series, at, kinds, -1)
      const value = before === MISSING && later ? typical(series, at, kinds, 1) : before
      if (value === MISSING) continue
      values[at] = value
      estimated[at] = 1
    }
  }
  return { values, estimated }
}

function gapsOf(watts: Int32Array): [number, number][] {
  const gaps: [number, number][] = []
  for (let at = 0; at < watts.length; at++) {
    if ((watts[at] ?? 0) >= 0) continue
    const from = at
    while (at < watts.length && (watts[at] ?? 0) < 0) at++
    gaps.push([from, at])
  }
  return gaps
}

function onLine(watts: Int32Array, from: number, to: number, at: number): number {
  const before = watts[from - 1] ?? 0
  const after = watts[to] ?? 0
  return before + Math.round(((after - before) * (at - from + 1)) / (to - from + 1))
}

type Kinds = (day: Day) => 'work' | 'saturday' | 'rest'

/** Working day, Saturday, or Sunday and holiday. */
function createKinds(): Kinds {
  const byYear = new Map<number, Set<Day>>()
  return (day) => {
    const year = Number(day.slice(0, 4))
    const off = byYear.get(year) ?? new Set(holidays(year))
    byYear.set(year, off)
    const { weekday } = localTime(dayStart(day))
    return weekday === 7 || off.has(day) ? 'rest' : weekday === 6 ? 'saturday' : 'work'
  }
}

/** The instant of a wall-clock time on a day: the first of two, or undefined in the hour that a day skips. */
function instantOf(day: Day, minuteOfDay: number): number | undefined {
  const start = dayStart(day)
  const utc = start + offsetAt(start) + minuteOfDay
  return [utc - 120, utc - 60].find(
    (minute) => localTime(minute).day === day && localTime(minute).minuteOfDay === minuteOfDay,
  )
}

function typical({ startsAt, step, watts }: Series, at: number, kindOf: Kinds, way: -1 | 1): number {
  const { day, minuteOfDay } = localTime(startsAt + at * step)
  const kind = kindOf(day)
  let sum = 0
  let count = 0
  for (let away = 1; away <= DAYS_AWAY; away++) {
    const other = addDays(day, way * away)
    if (other < dayOf(startsAt)) break
    if (kindOf(other) !== kind) continue
    const minute = instantOf(other, minuteOfDay)
    const value = minute === undefined ? MISSING : (watts[(minute - startsAt) / step] ?? MISSING)
    if (value < 0) continue
    sum += value
    count++
  }
  return count === 0 ? MISSING : Math.round(sum / count)
}
