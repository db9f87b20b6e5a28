import { addDays, dayOf, dayStart, listDays } from '@voisol/energy/calendar'
import { type ChartData, QUALITY_MARK, type Series, type TimeRange } from '../chart/series.ts'
import { formatFullDay } from '../period/period-labels.ts'
import { type CurveMeasure, getAxisUnit } from './energy-measure.ts'

export type SeriesRole =
  | 'local'
  | 'restored'
  | 'grid'
  | 'stored'
  | 'surplus'
  | 'pending'
  | 'consumption'
  | 'production'
  | 'forecast'

export type ExplorerSeries = {
  key: string
  label: string
  role: SeriesRole
  /** One per step, in the measure's own unit; null is missing. */
  values: (number | null)[]
  /** How each step is known: 0 missing, 1 raw, 2 corrected, 3 estimated. */
  quality?: ArrayLike<number>
  /** The same series in another period, laid over this one. */
  compared?: boolean
  band?: Series['band']
  /** Where several series of one role stand side by side. */
  color?: string
}

/** Steps of equal length, or the start of each day or month. Epoch minutes, UTC. */
type ChartSteps = { startsAt: number; step: number } | { starts: number[]; each: 'day' | 'month' }

type SeriesStyle = Pick<Series, 'color' | 'kind' | 'pattern'>
const SERIES_STYLES: Record<SeriesRole, SeriesStyle> = {
  local: { color: 'var(--data-local)', kind: 'stacked' },
  // From a battery, and to one.
  restored: { color: 'var(--data-storage)', kind: 'stacked', pattern: 'barred' },
  stored: { color: 'var(--data-storage)', kind: 'stacked', pattern: 'barred' },
  grid: { color: 'var(--data-grid)', kind: 'stacked' },
  surplus: { color: 'var(--data-surplus)', kind: 'stacked', pattern: 'dotted' },
  // Known, and in no run yet: neither local nor anything else.
  pending: { color: 'var(--data-pending)', kind: 'stacked', pattern: 'open' },
  consumption: { color: 'var(--data-consumption)', kind: 'line' },
  // The hue of solar energy, dark enough to be read as a line over its own area.
  production: { color: '#B45309', kind: 'line' },
  forecast: { color: 'var(--data-consumption)', kind: 'dashed' },
}
const STACK_ORDER: SeriesRole[] = ['local', 'restored', 'grid', 'stored', 'surplus', 'pending']

const toTimes = (steps: ChartSteps, count: number) =>
  'starts' in steps
    ? steps.starts.map((start) => start * 60)
    : Array.from({ length: count }, (_, index) => (steps.startsAt + index * steps.step) * 60)

const findPeakValue = (series: ExplorerSeries[]) => {
  let peak = 0
  for (const { values } of series) for (const value of values) if (value !== null && value > peak) peak = value
  return peak
}

const divideValues = (values: (number | null)[], size: number) =>
  size === 1 ? values : values.map((value) => (value === null ? null : value / size))

function toSeries(one: ExplorerSeries, alone: boolean, size: number): Series {
  const style = SERIES_STYLES[one.role]
  const kind = one.compared ? 'compared' : alone && style.kind === 'line' ? 'area' : style.kind
  return {
    label: one.label,
    color: one.color ?? style.color,
    kind,
    pattern: kind === 'stacked' ? style.pattern : undefined,
    values: divideValues(one.values, size),
    marks: one.quality,
    band: one.band && { low: divideValues(one.band.low, size), high: divideValues(one.band.high, size) },
  }
}

/** Layers from the ground up, then lines: the order of drawing, of the table and of the file. */
export const sortSeries = (series: ExplorerSeries[]) => {
  const rank = (one: ExplorerSeries) => {
    const layer = one.compared ? -1 : STACK_ORDER.indexOf(one.role)
    return layer < 0 ? STACK_ORDER.length + Number(one.compared ?? false) : layer
  }
  return series.toSorted((a, b) => rank(a) - rank(b))
}

/** Local and grid are shares of the consumption; surplus, what is stored, and local without grid, are shares of the production. */
function getShare(role: SeriesRole, ordered: ExplorerSeries[]): Series['share'] {
  const at = (...roles: SeriesRole[]) =>
    ordered.flatMap((one, index) => (!one.compared && roles.includes(one.role) ? [index] : []))
  const [grid, surplus] = [at('grid').length > 0, at('surplus').length > 0]
  if (!grid || !surplus) return undefined
  return role === 'surplus' || role === 'stored'
    ? { of: at('local', 'stored', 'surplus'), words: 'de la production' }
    : { of: at('local', 'restored', 'grid') }
}

/** The series as the chart draws them, in the unit that suits their peak. */
export function buildChartData(series: ExplorerSeries[], steps: ChartSteps, measure: CurveMeasure): ChartData {
  const ordered = sortSeries(series)
  const { unit, size } = getAxisUnit(measure, findPeakValue(series))
  const lines = ordered.filter((one) => !one.compared && SERIES_STYLES[one.role].kind === 'line')
  const alone =
    lines.length === 1 && !ordered.some((one) => !one.compared && SERIES_STYLES[one.role].kind === 'stacked')
  return {
    times: toTimes(steps, ordered[0]?.values.length ?? 0),
    series: ordered.map((one) => ({ ...toSeries(one, alone, size), share: getShare(one.role, ordered) })),
    unit,
  }
}

/** What lies between two indexes: sums of what is known and how it is known. */
export function summarizeIndexRange(series: ExplorerSeries[], first: number, end: number) {
  const sums = series.map(({ values }) => {
    let [sum, known] = [0, 0]
    for (let index = first; index < end; index++) {
      const value = values[index] ?? null
      if (value === null) continue
      sum += value
      known++
    }
    return { sum, known }
  })
  return { sums, ...countQuality(series, first, end) }
}

function countQuality(series: ExplorerSeries[], first: number, end: number) {
  const measured = series.filter((one) => !one.compared && one.role !== 'forecast')
  const counts = { steps: end - first, before: 0, missing: 0, partial: 0, doubtful: 0, estimated: 0, corrected: 0 }
  for (let index = first; index < end; index++) {
    const marks = measured.map((one) => one.quality?.[index])
    const unknown = measured.length > 0 && measured.every((one) => (one.values[index] ?? null) === null)
    if (unknown && marks.every((mark) => mark === QUALITY_MARK.before)) counts.before++
    else if (unknown) counts.missing++
    // Something is known, and something of it is missing.
    else if (marks.includes(QUALITY_MARK.missing)) counts.partial++
    else if (marks.includes(QUALITY_MARK.doubtful)) counts.doubtful++
    else if (marks.includes(QUALITY_MARK.estimated)) counts.estimated++
    else if (marks.includes(QUALITY_MARK.corrected)) counts.corrected++
  }
  return counts
}

export const sliceChartData = (data: ChartData, first: number, end: number): ChartData => ({
  ...data,
  times: data.times.slice(first, end),
  series: data.series.map((one) => ({
    ...one,
    values: one.values.slice(first, end),
    marks: one.marks && Array.from({ length: end - first }, (_, at) => one.marks?.[first + at] ?? 0),
  })),
})

type DailyData = ChartData & {
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

/** Lowest and highest known value of each bucket, so that no peak is lost in a small drawing; null where all is missing. */
export function computeExtremes(
  values: ArrayLike<number | null>,
  buckets: number,
): ([low: number, high: number] | null)[] {
  const count = Math.min(buckets, values.length)
  return Array.from({ length: count }, (_, bucket) => {
    const first = Math.floor((bucket * values.length) / count)
    const end = Math.floor(((bucket + 1) * values.length) / count)
    let range: [number, number] | null = null
    for (let index = first; index < end; index++) {
      const value = values[index] ?? null
      if (value === null) continue
      if (!range) range = [value, value]
      else if (value < range[0]) range[0] = value
      else if (value > range[1]) range[1] = value
    }
    return range
  })
}

const DAY_SECONDS = 86_400
const toRadians = (degrees: number) => (degrees * Math.PI) / 180
/** The middle of metropolitan France, for a chart that has no place of its own. */
const FRANCE_CENTRE = { lat: 46.6, lon: 2.4 }

/** Sunrise and sunset of a UTC day in Unix seconds, to a few minutes: enough to shade a chart. */
function computeSunTimes(noonUtc: number, lat: number, lon: number): TimeRange | null {
  const dayOfYear = (noonUtc - Date.UTC(new Date(noonUtc * 1000).getUTCFullYear(), 0, 1) / 1000) / DAY_SECONDS
  const yearAngle = (2 * Math.PI * (dayOfYear - 81)) / 365.25
  const declination = toRadians(23.44) * Math.sin(yearAngle)
  const equation = 9.87 * Math.sin(2 * yearAngle) - 7.53 * Math.cos(yearAngle) - 1.5 * Math.sin(yearAngle)
  const noon = noonUtc - lon * 240 - equation * 60
  // The sun's rim and the bent light put sunrise at 0.833° under the horizon.
  const cosine =
    (Math.sin(toRadians(-0.833)) - Math.sin(toRadians(lat)) * Math.sin(declination)) /
    (Math.cos(toRadians(lat)) * Math.cos(declination))
  if (Math.abs(cosine) > 1) return null
  const half = (Math.acos(cosine) / Math.PI) * (DAY_SECONDS / 2)
  return [noon - half, noon + half]
}

/** From sunset to sunrise inside a span. */
export function computeNights([from, to]: TimeRange, { lat, lon } = FRANCE_CENTRE): TimeRange[] {
  const nights: TimeRange[] = []
  let dusk = from
  for (
    let noon = Math.floor(from / DAY_SECONDS) * DAY_SECONDS - DAY_SECONDS / 2;
    noon < to + DAY_SECONDS;
    noon += DAY_SECONDS
  ) {
    const day = computeSunTimes(noon, lat, lon)
    if (!day || day[1] <= from) continue
    if (day[0] > dusk) nights.push([dusk, Math.min(day[0], to)])
    dusk = Math.max(dusk, day[1])
    if (dusk >= to) break
  }
  return nights
}
