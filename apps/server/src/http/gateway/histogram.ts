/** Buckets grow by √2 from half a millisecond: thirty-six of them exceed the longest call. */
export const BUCKET_COUNT = 36
const FIRST_MICROS = 500
const BUCKETS_PER_OCTAVE = 2

/** The bucket of a duration; the last one holds everything longer. */
export function getDurationBucket(micros: number): number {
  if (micros <= FIRST_MICROS) return 0
  const step = Math.ceil(Math.log2(micros / FIRST_MICROS) * BUCKETS_PER_OCTAVE - 1e-9)
  return Math.min(step, BUCKET_COUNT - 1)
}

const getBucketEdge = (bucket: number) => FIRST_MICROS * 2 ** (bucket / BUCKETS_PER_OCTAVE)

/**
 * The duration below which this share of calls lies, in microseconds; within a bucket calls are assumed evenly spread
 * on a logarithmic scale.
 */
export function estimateDurationQuantile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, n) => sum + n, 0)
  if (total === 0) return null
  const wanted = share * total
  let below = 0
  for (const [bucket, n] of buckets.entries()) {
    if (n > 0 && below + n >= wanted) {
      const within = Math.max(0, (wanted - below) / n)
      const low = bucket === 0 ? FIRST_MICROS / 2 : getBucketEdge(bucket - 1)
      return Math.round(low * (getBucketEdge(bucket) / low) ** within)
    }
    below += n
  }
  return Math.round(getBucketEdge(buckets.length - 1))
}
