/** Quantile between the nearest values; sorts what it is given. NaN for nothing. */
export function computeQuantile(values: Float64Array, level: number): number {
  if (values.length === 0) return Number.NaN
  values.sort()
  const place = level * (values.length - 1)
  const low = Math.floor(place)
  const from = values[low] ?? Number.NaN
  const to = values[Math.min(low + 1, values.length - 1)] ?? from
  return from + (to - from) * (place - low)
}

/** The same without a full sort: only the wanted element is put in place. Reorders what it is given. */
export function selectQuantile(values: Float64Array, level: number): number {
  const last = values.length - 1
  if (last < 0) return Number.NaN
  const place = level * last
  const low = Math.floor(place)
  moveToRank(values, low)
  const from = values[low] as number // within bounds
  if (low === last) return from
  // All that follows is not smaller: its minimum is the next value.
  let to = values[low + 1] as number
  for (let at = low + 2; at <= last; at++) if ((values[at] as number) < to) to = values[at] as number
  return from + (to - from) * (place - low)
}

/** Puts the value of rank `wanted` in its place, smaller ones before it (Hoare). */
function moveToRank(values: Float64Array, wanted: number): void {
  let [from, to] = [0, values.length - 1]
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number // within bounds, as below
    let [low, high] = [from, to]
    while (low <= high) {
      while ((values[low] as number) < pivot) low++
      while ((values[high] as number) > pivot) high--
      if (low > high) break
      const kept = values[low] as number
      values[low++] = values[high] as number
      values[high--] = kept
    }
    if (wanted <= high) to = high
    else if (wanted >= low) from = low
    else return
  }
}

/**
 * The value below which the next one lies with this probability, from the values seen so far: the k-th of n has k / (n
 * + 1) below it. The plain quantile would draw the tails in, the more the fewer values there are. Expects sorted
 * values; NaN where they are too few to reach that far.
 */
export function computePredictiveQuantile(sorted: ArrayLike<number>, level: number): number {
  const place = level * (sorted.length + 1) - 1
  if (!(place >= -1e-9 && place <= sorted.length - 1 + 1e-9)) return Number.NaN
  const low = Math.max(0, Math.floor(place))
  const from = sorted[low] ?? Number.NaN
  return from + ((sorted[low + 1] ?? from) - from) * (place - low)
}

export const computeMedian = (values: ArrayLike<number>): number => computeQuantile(Float64Array.from(values), 0.5)

/** The smallest value with at least `level` of the weight at or below it. NaN for nothing. */
export function computeWeightedQuantile(values: ArrayLike<number>, weights: ArrayLike<number>, level: number): number {
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
export function computeRobustSpread(values: ArrayLike<number>): number {
  const middle = computeMedian(values)
  return 1.4826 * computeMedian(Array.from(values, (value) => Math.abs(value - middle)))
}
