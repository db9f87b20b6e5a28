import { type ChartData, MARK, type Series } from '../chart/types.ts'
import { axisUnit, type Measure } from './measure.ts'

export type Role =
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
  role: Role
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
export type Steps = { startsAt: number; step: number } | { starts: number[]; each: 'day' | 'month' }

type Look = Pick<Series, 'color' | 'kind' | 'pattern'>
const LOOKS: Record<Role, Look> = {
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
const STACK_ORDER: Role[] = ['local', 'restored', 'grid', 'stored', 'surplus', 'pending']

export const timesOf = (steps: Steps, count: number) =>
  'starts' in steps
    ? steps.starts.map((start) => start * 60)
    : Array.from({ length: count }, (_, index) => (steps.startsAt + index * steps.step) * 60)

const peakOf = (series: ExplorerSeries[]) => {
  let peak = 0
  for (const { values } of series) for (const value of values) if (value !== null && value > peak) peak = value
  return peak
}

const divided = (values: (number | null)[], size: number) =>
  size === 1 ? values : values.map((value) => (value === null ? null : value / size))

function drawn(one: ExplorerSeries, alone: boolean, size: number): Series {
  const look = LOOKS[one.role]
  const kind = one.compared ? 'compared' : alone && look.kind === 'line' ? 'area' : look.kind
  return {
    label: one.label,
    color: one.color ?? look.color,
    kind,
    pattern: kind === 'stacked' ? look.pattern : undefined,
    values: divided(one.values, size),
    marks: one.quality,
    band: one.band && { low: divided(one.band.low, size), high: divided(one.band.high, size) },
  }
}

/** Layers from the ground up, then lines: the order of drawing, of the table and of the file. */
export const inOrder = (series: ExplorerSeries[]) => {
  const rank = (one: ExplorerSeries) => {
    const layer = one.compared ? -1 : STACK_ORDER.indexOf(one.role)
    return layer < 0 ? STACK_ORDER.length + Number(one.compared ?? false) : layer
  }
  return series.toSorted((a, b) => rank(a) - rank(b))
}

/** Local and grid are shares of the consumption; surplus, what is stored, and local without grid, are shares of the production. */
function shareOf(role: Role, ordered: ExplorerSeries[]): Series['share'] {
  const at = (...roles: Role[]) =>
    ordered.flatMap((one, index) => (!one.compared && roles.includes(one.role) ? [index] : []))
  const [grid, surplus] = [at('grid').length > 0, at('surplus').length > 0]
  if (!grid || !surplus) return undefined
  return role === 'surplus' || role === 'stored'
    ? { of: at('local', 'stored', 'surplus'), words: 'de la production' }
    : { of: at('local', 'restored', 'grid') }
}

/** The series as the chart draws them, in the unit that suits their peak. */
export function chartData(series: ExplorerSeries[], steps: Steps, measure: Measure): ChartData {
  const ordered = inOrder(series)
  const { unit, size } = axisUnit(measure, peakOf(series))
  const lines = ordered.filter((one) => !one.compared && LOOKS[one.role].kind === 'line')
  const alone = lines.length === 1 && !ordered.some((one) => !one.compared && LOOKS[one.role].kind === 'stacked')
  return {
    times: timesOf(steps, ordered[0]?.values.length ?? 0),
    series: ordered.map((one) => ({ ...drawn(one, alone, size), share: shareOf(one.role, ordered) })),
    unit,
  }
}

/** What lies between two indexes: sums of what is known and how it is known. */
export function windowOf(series: ExplorerSeries[], first: number, end: number) {
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
  return { sums, ...quality(series, first, end) }
}

function quality(series: ExplorerSeries[], first: number, end: number) {
  const measured = series.filter((one) => !one.compared && one.role !== 'forecast')
  const counts = { steps: end - first, before: 0, missing: 0, partial: 0, doubtful: 0, estimated: 0, corrected: 0 }
  for (let index = first; index < end; index++) {
    const marks = measured.map((one) => one.quality?.[index])
    const unknown = measured.length > 0 && measured.every((one) => (one.values[index] ?? null) === null)
    if (unknown && marks.every((mark) => mark === MARK.before)) counts.before++
    else if (unknown) counts.missing++
    // Something is known, and something of it is missing.
    else if (marks.includes(MARK.missing)) counts.partial++
    else if (marks.includes(MARK.doubtful)) counts.doubtful++
    else if (marks.includes(MARK.estimated)) counts.estimated++
    else if (marks.includes(MARK.corrected)) counts.corrected++
  }
  return counts
}

export const cut = (data: ChartData, first: number, end: number): ChartData => ({
  ...data,
  times: data.times.slice(first, end),
  series: data.series.map((one) => ({
    ...one,
    values: one.values.slice(first, end),
    marks: one.marks && Array.from({ length: end - first }, (_, at) => one.marks?.[first + at] ?? 0),
  })),
})
