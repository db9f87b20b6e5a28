export type Series = {
  label: string
  /** A CSS colour or one of the fixed data colours: `var(--data-local)`. */
  color: string
  /** One per instant; null is a gap, never zero. */
  values: (number | null)[]
  /** `stacked` areas stand on one another, the first at the bottom; `dashed` is a forecast. */
  kind: 'line' | 'area' | 'dashed' | 'stacked'
}

/** Bounds in Unix seconds. */
export type Span = [from: number, to: number]

export type ChartData = { times: number[]; series: Series[]; unit: string }
