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
