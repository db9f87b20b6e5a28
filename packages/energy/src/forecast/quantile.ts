/** Quantile between the nearest values; sorts what it is given. NaN for nothing. */
export function quantile(values: Float64Array, level: number): number {
  if (values.length === 0) return Number.NaN
  values.sort()
  const place = level * (values.length - 1)
  const low = Math.floor(place)
  const from = values[low] ?? Number.NaN
  const to = values[Math.min(low + 1, values.length - 1)] ?? from
  return from + (to - from) * (place - low)
}

export const median = (values: ArrayLike<number>): number => quantile(Float64Array.from(values), 0.5)

/** The least value below or at which lies `level` of the weight. NaN for nothing. */
export function weightedQuantile(values: ArrayLike<number>, weights: ArrayLike<number>, level: number): number {
  const order = Array.from({ length: values.length }, (_, at) => at)
  order.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const total = order.reduce((sum, at) => sum + (weights[at] ?? 0), 0)
  let reached = 0
  let last = Number.NaN
  for (const at of order) {
    last = values[at] ?? Number.NaN
    reached += weights[at] ?? 0
    if (reached >= level * total) return last
  }
  return last
}

/** 1.4826 × the median distance from the median: a deviation that outliers do not move. */
export function spread(values: ArrayLike<number>): number {
  const middle = median(values)
  return 1.4826 * median(Array.from(values, (value) => Math.abs(value - middle)))
}
