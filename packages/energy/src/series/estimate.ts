import {
  addDays,
  type Day,
  dayOf,
  dayStart,
  holidays,
  localTime,
  minutesOfDay,
  offsetAt,
} from '../calendar/calendar.ts'
import { MISSING, type PowerSeries } from './series.ts'

/** Gaps up to this long follow a straight line. */
const SHORT_GAP_MINUTES = 120
const MAX_DAYS_AWAY = 28

type EstimatedSeries = { values: Int32Array /** 1 where the value is an estimate. */; estimated: Uint8Array }

type EstimateGapsOptions = { later?: boolean; within?: [number, number] }

/**
 * Fills gaps in watts: short ones by a straight line between their neighbours, longer ones with the mean of the same
 * time of day on days of the same kind over the four weeks before, and with `later` over the four weeks after where
 * nothing came before. Only measured values count; what they cannot tell stays MISSING. With `within`, gaps outside of
 * these steps are left as they are.
 */
export function estimateGaps(
  series: PowerSeries,
  { later = false, within }: EstimateGapsOptions = {},
): EstimatedSeries {
  const values = series.watts.slice()
  const estimated = new Uint8Array(values.length)
  const [first, last] = within ?? [0, values.length]
  const days = listSeriesDays(series)
  for (const [from, to] of findGaps(series.watts)) {
    const short = (to - from) * series.step <= SHORT_GAP_MINUTES && from > 0 && to < values.length
    for (let at = Math.max(from, first); at < Math.min(to, last); at++) {
      const before = short ? interpolate(series.watts, from, to, at) : estimateFromSimilarDays(series, at, days, -1)
      const value = before === MISSING && later ? estimateFromSimilarDays(series, at, days, 1) : before
      if (value === MISSING) continue
      values[at] = value
      estimated[at] = 1
    }
  }
  return { values, estimated }
}

function findGaps(watts: Int32Array): [number, number][] {
  const gaps: [number, number][] = []
  for (let at = 0; at < watts.length; at++) {
    if ((watts[at] ?? 0) >= 0) continue
    const from = at
    while (at < watts.length && (watts[at] ?? 0) < 0) at++
    gaps.push([from, at])
  }
  return gaps
}

function interpolate(watts: Int32Array, from: number, to: number, at: number): number {
  const before = watts[from - 1] ?? 0
  const after = watts[to] ?? 0
  return before + Math.round(((after - before) * (at - from + 1)) / (to - from + 1))
}

type DayKindLookup = (day: Day) => 'work' | 'saturday' | 'rest'

/** Working day, Saturday, or Sunday and holiday. */
function createDayKindLookup(): DayKindLookup {
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
function findInstant(day: Day, minuteOfDay: number): number | undefined {
  const start = dayStart(day)
  const utc = start + offsetAt(start) + minuteOfDay
  return [utc - 120, utc - 60].find(
    (minute) => localTime(minute).day === day && localTime(minute).minuteOfDay === minuteOfDay,
  )
}

type DayAt = { day: Day; kind: ReturnType<DayKindLookup>; start: number; minutes: number }

/** The days that the series covers, each computed once. */
function listSeriesDays({ startsAt, step, watts }: PowerSeries): DayAt[] {
  const kindOf = createDayKindLookup()
  const days: DayAt[] = []
  const end = startsAt + watts.length * step
  for (let day = dayOf(startsAt); dayStart(day) < end; day = addDays(day, 1))
    days.push({ day, kind: kindOf(day), start: dayStart(day), minutes: minutesOfDay(day) })
  return days
}

const WHOLE_DAY = 1440

/** The minute of a wall-clock time on a day: two days of the year have an hour that occurs twice or never. */
const getMinuteOnDay = ({ day, start, minutes }: DayAt, minuteOfDay: number) =>
  minutes === WHOLE_DAY ? start + minuteOfDay : findInstant(day, minuteOfDay)

function estimateFromSimilarDays(
  { startsAt, step, watts }: PowerSeries,
  at: number,
  days: DayAt[],
  way: -1 | 1,
): number {
  const minute = startsAt + at * step
  const here = Math.floor((minute - (days[0]?.start ?? 0)) / WHOLE_DAY)
  // The clock may differ by an hour: the day is the one that holds the minute, or its neighbour.
  const own = [here, here + 1, here - 1].find((n) => isWithinDay(days[n], minute)) ?? here
  const today = days[own]
  if (!today) return MISSING
  const minuteOfDay = today.minutes === WHOLE_DAY ? minute - today.start : localTime(minute).minuteOfDay
  let sum = 0
  let count = 0
  for (let away = 1; away <= MAX_DAYS_AWAY; away++) {
    const other = days[own + way * away]
    if (!other) break
    if (other.kind !== today.kind) continue
    const instant = getMinuteOnDay(other, minuteOfDay)
    const value = instant === undefined ? MISSING : (watts[(instant - startsAt) / step] ?? MISSING)
    if (value < 0) continue
    sum += value
    count++
  }
  return count === 0 ? MISSING : Math.round(sum / count)
}

const isWithinDay = (day: DayAt | undefined, minute: number) =>
  day !== undefined && minute >= day.start && minute < day.start + day.minutes

export type EstimatedCurve = {
  values: Int32Array /** 0 measured, 1 estimated from its own days, 2 by profile. */
  levels: Uint8Array
}
export const ESTIMATED_FROM_OWN_DAYS = 1
export const ESTIMATED_BY_PROFILE = 2

/** The sum of the measured curves at each step, and their number. */
function sumMeasured(curves: EstimatedCurve[]) {
  const steps = curves[0]?.values.length ?? 0
  const sums = new Float64Array(steps)
  const counts = new Float64Array(steps)
  for (const { values, levels } of curves)
    for (let at = 0; at < steps; at++) {
      const value = values[at] ?? MISSING
      if (value < 0 || levels[at] !== 0) continue
      sums[at] = (sums[at] ?? 0) + value
      counts[at] = (counts[at] ?? 0) + 1
    }
  return { sums, counts }
}

type MeasuredSums = ReturnType<typeof sumMeasured>

/**
 * The size of a curve relative to the mean of the others, where both were measured; undefined where there is no such
 * step.
 */
function computeScale({ values, levels }: EstimatedCurve, { sums, counts }: MeasuredSums): number | undefined {
  let own = 0
  let mean = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? MISSING
    const others = (counts[at] ?? 0) - 1
    if (value < 0 || levels[at] !== 0 || others < 1) continue
    own += value
    mean += ((sums[at] ?? 0) - value) / others
  }
  return mean > 0 ? own / mean : undefined
}

const isBlank = ({ values, levels }: EstimatedCurve) => values.every((value, at) => value < 0 || levels[at] !== 0)

/**
 * Fills what is still missing with the mean of the others at that step, scaled to the size of the curve. A curve never
 * measured has no size: with `blank` it gets the average one, else it stays unknown. Only measured values count.
 */
export function estimateByProfile(curves: EstimatedCurve[], { blank }: { blank: boolean }): void {
  const all = sumMeasured(curves)
  for (const curve of curves) {
    const scale = isBlank(curve) ? (blank ? 1 : undefined) : computeScale(curve, all)
    if (scale === undefined) continue
    const { values, levels } = curve
    for (let at = 0; at < values.length; at++) {
      const others = all.counts[at] ?? 0
      if ((values[at] ?? 0) >= 0 || others === 0) continue
      values[at] = Math.round(((all.sums[at] ?? 0) / others) * scale)
      levels[at] = ESTIMATED_BY_PROFILE
    }
  }
}
