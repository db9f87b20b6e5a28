import { formatDate, formatDateTime, formatNumber, formatPercent, formatTime } from '../../lib/format.ts'

/** Each data colour also differs by its fill. */
export type FillPattern = 'plain' | 'hatched' | 'dotted' | 'barred' | 'open'

/** How a reading is known; the same figures as in the curve store. Before somebody came in, none is expected. */
export const QUALITY_MARK = { missing: 0, raw: 1, corrected: 2, estimated: 3, doubtful: 4, before: 5 } as const

export type Series = {
  label: string
  /** A CSS colour or one of the fixed data colours: `var(--data-local)`. */
  color: string
  /** One per instant; null is a gap, never zero. */
  values: (number | null)[]
  /** `stacked` areas stand on one another, the first at the bottom; `dashed` is a forecast; `compared` another period. */
  kind: 'line' | 'area' | 'dashed' | 'stacked' | 'compared'
  pattern?: FillPattern
  /** The series whose sum is the whole of a share, by index, and what that whole is; the stack unless told. */
  share?: { of: number[]; words?: string }
  /** One of MARK per instant. */
  marks?: ArrayLike<number>
  /** Where a forecast is expected to fall. */
  band?: { low: (number | null)[]; high: (number | null)[] }
}

/** Bounds in Unix seconds. */
export type TimeRange = [from: number, to: number]

export type ChartData = {
  times: number[]
  series: Series[]
  unit: string
  /** Names an instant; date and hour unless the steps are days or months. */
  timeLabel?: (seconds: number) => string
}

/** Nothing is known, and nothing is missing: the person was not in yet. */
export const isBeforeEntry = ({ values, marks }: Pick<Series, 'values' | 'marks'>, index: number) =>
  (values[index] ?? null) === null && marks?.[index] === QUALITY_MARK.before

export const isMeasuredSeries = (series: Series) => series.kind !== 'dashed' && series.kind !== 'compared'

const MISSING_LABEL = 'donnée manquante'
export const BEFORE_ENTRY_LABEL = 'avant votre entrée'

const formatQuantity = (value: number | null | undefined, unit: string) =>
  value === null || value === undefined
    ? MISSING_LABEL
    : `${formatNumber(value, Math.abs(value) < 10 ? 2 : 1)}\u00a0${unit}`

const MARK_LABELS: Record<number, string> = {
  [QUALITY_MARK.corrected]: 'corrigé',
  [QUALITY_MARK.estimated]: 'estimé',
  [QUALITY_MARK.doubtful]: 'douteux',
}
/** A word for what was not read as such; nothing for a plain reading. */
export const getMarkLabel = (mark: number | undefined) => (mark === undefined ? undefined : MARK_LABELS[mark])

export const formatInstantLabel = ({ timeLabel }: Pick<ChartData, 'timeLabel'>, seconds: number) =>
  timeLabel ? timeLabel(seconds) : formatDateTime(seconds * 1000)

/** The share of each figure in its whole, in words; undefined where it has none. */
export function formatShares(series: Series[], figures: (number | null)[]) {
  const stack = series.flatMap((one, index) => (one.kind === 'stacked' ? [index] : []))
  return series.map((one, index) => {
    const whole = (one.share?.of ?? stack).reduce((sum, at) => sum + (figures[at] ?? 0), 0)
    const figure = figures[index] ?? null
    if (one.kind !== 'stacked' || figure === null || whole <= 0 || stack.length < 2) return undefined
    return formatPercent(figure / whole, 0) + (one.share?.words ? ` ${one.share.words}` : '')
  })
}

/** Where a forecast is expected to fall: « 3,1 à 4,8 ». */
export function formatBand({ band }: Pick<Series, 'band'>, index: number): string | undefined {
  const [low, high] = [band?.low[index] ?? null, band?.high[index] ?? null]
  const figure = (value: number) => formatNumber(value, Math.abs(value) < 10 ? 2 : 1)
  return low === null || high === null ? undefined : `${figure(low)} à ${figure(high)}`
}

/** Everything under the cursor, each stacked part with its share. */
export function getValuesAt({ series, unit }: ChartData, index: number) {
  const figures = series.map((one) => one.values[index] ?? null)
  const shares = formatShares(series, figures)
  return series.map((one, at) => {
    const value = figures[at] ?? null
    const mark = value === null ? undefined : getMarkLabel(one.marks?.[index])
    const text = isBeforeEntry(one, index) ? BEFORE_ENTRY_LABEL : formatQuantity(value, unit)
    return { ...one, text, share: shares[at] ?? formatBand(one, index), mark }
  })
}

/** The cursor in one sentence, for a screen reader. */
export const describeInstant = (data: ChartData, index: number) => {
  const instant = data.times[index]
  if (instant === undefined) return 'Aucune donnée'
  const parts = getValuesAt(data, index).map(
    ({ label, text, share, mark }) => `${label}\u00a0: ${text}${share ? ` (${share})` : ''}${mark ? `, ${mark}` : ''}`,
  )
  return `${formatInstantLabel(data, instant)}. ${parts.join(', ')}`
}

const dayMonth = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', day: 'numeric', month: 'short' })
const monthYear = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', month: 'short', year: '2-digit' })
const DAY_SECONDS = 86_400

/** Label of a tick, as coarse as the distance between ticks; midnight shows its day. */
export function formatTick(seconds: number, step: number) {
  if (step >= 28 * DAY_SECONDS) return monthYear.format(seconds * 1000)
  const hour = formatTime(seconds * 1000)
  return step >= DAY_SECONDS || hour === '00:00' ? dayMonth.format(seconds * 1000) : hour
}

export const formatTimeRange = (from: number, to: number) =>
  formatDate(from * 1000) === formatDate(to * 1000)
    ? `${formatDate(from * 1000)}, ${formatTime(from * 1000)} à ${formatTime(to * 1000)}`
    : `${formatDate(from * 1000)} au ${formatDate(to * 1000)}`
