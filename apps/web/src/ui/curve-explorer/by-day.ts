import { addDays, dayOf, dayStart, listDays } from '@voisol/energy/calendar'
import { type ChartData, QUALITY_MARK } from '../chart/types.ts'
import { formatFullDay } from '../period/label.ts'

export type DailyData = ChartData & {
  /** First step of each day, and the end of the last one. */
  bounds: number[]
}

function computeMean(values: ArrayLike<number | null>, first: number, end: number) {
  let [sum, known] = [0, 0]
  for (let index = first; index < end; index++) {
    const value = values[index] ?? null
    if (value === null) continue
    sum += value
    known++
  }
  return known > 0 ? sum / known : null
}

/** Marks grow with what is to be said of a value. */
function getStrongestMark(marks: ArrayLike<number>, first: number, end: number): number {
  let found: number = QUALITY_MARK.raw
  for (let index = first; index < end; index++) found = Math.max(found, marks[index] ?? 0)
  return found
}

/** Mean of each local day: over months the quarter hours would be one solid band. */
export function toDailyMeans(data: ChartData, startsAt: number, step: number): DailyData {
  const count = data.times.length
  const lastDay = dayOf(startsAt + Math.max(0, count - 1) * step)
  const days = listDays(dayOf(startsAt), addDays(lastDay, 1))
  const indexOf = (day: string) => Math.min(count, Math.max(0, Math.ceil((dayStart(day) - startsAt) / step)))
  const bounds = [...days.map(indexOf), count]
  const each = <T>(value: (first: number, end: number) => T) =>
    days.map((_, at) => value(bounds[at] ?? 0, bounds[at + 1] ?? count))
  return {
    ...data,
    bounds,
    times: bounds.slice(0, -1).map((index) => (startsAt + index * step) * 60),
    timeLabel: (seconds) => `${formatFullDay(dayOf(seconds / 60))}, moyenne du jour`,
    series: data.series.map(({ marks, band: _, ...one }) => ({
      ...one,
      values: each((first, end) => computeMean(one.values, first, end)),
      marks: marks && each((first, end) => getStrongestMark(marks, first, end)),
    })),
  }
}
