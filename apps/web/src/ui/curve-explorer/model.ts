import { type ChartData, QUALITY_MARK, type Series } from '../chart/types.ts'
import { type CurveMeasure, getAxisUnit } from './measure.ts'

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
export type ChartSteps = { startsAt: number; step: number } | { starts: number[]; each: 'day' | 'month' }

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

export const toTimes = (steps: ChartSteps, count: number) =>
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
