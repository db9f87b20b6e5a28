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
