import { expect, test } from 'vitest'
import { BUCKET_COUNT, estimateDurationQuantile, getDurationBucket } from './histogram.ts'

test('a duration falls into the first bucket that contains it', () => {
  expect([0, 499, 500, 501, 707, 708, 1000, 1001].map(getDurationBucket)).toEqual([0, 0, 0, 1, 1, 2, 2, 3])
  expect(getDurationBucket(10 ** 12)).toBe(BUCKET_COUNT - 1)
})

const buildHistogram = (durations: number[]) => {
  const buckets = new Array<number>(BUCKET_COUNT).fill(0)
  for (const micros of durations) buckets[getDurationBucket(micros)] = (buckets[getDurationBucket(micros)] ?? 0) + 1
  return buckets
}

test('quantiles are within a bucket of the true value', () => {
  const durations = Array.from({ length: 9973 }, (_, n) => 700 * 1.0007 ** n)
  const buckets = buildHistogram(durations)
  for (const share of [0.5, 0.95, 0.99]) {
    const truth = durations[Math.ceil(share * durations.length) - 1] ?? 0
    expect((estimateDurationQuantile(buckets, share) ?? 0) / truth).toBeGreaterThan(0.85)
    expect((estimateDurationQuantile(buckets, share) ?? 0) / truth).toBeLessThan(1.18)
  }
})

test('one slow call in a hundred is above p95 and not above p99.5', () => {
  const buckets = buildHistogram([...new Array<number>(99).fill(3000), 800_000])
  expect(estimateDurationQuantile(buckets, 0.95)).toBeLessThan(4100)
  expect(estimateDurationQuantile(buckets, 0.995)).toBeGreaterThan(500_000)
})

test('without calls there is no duration', () => {
  expect(estimateDurationQuantile(new Array<number>(BUCKET_COUNT).fill(0), 0.95)).toBeNull()
})
