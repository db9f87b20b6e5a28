import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DayReadings, ReadingQuality } from '../../../core/readings.ts'
import { computeCurveDayFacts, getMarkAt } from './curve-day.ts'
import { mergeReadings, refineReadings } from './merge-curve-days.ts'

const day = (
  step: 15 | 30 | 60 | 10,
  values: number[],
  quality: ReadingQuality = 1,
  marks: number[] | null = null,
): DayReadings => ({
  step,
  watts: Int32Array.from(values),
  marks: marks && Uint8Array.from(marks),
  quality,
})
const toComparable = (readings: DayReadings | null) =>
  readings && {
    step: readings.step,
    watts: [...readings.watts],
    marks: [...readings.watts].map((_, at) => getMarkAt(readings, at)),
  }

test('returns nothing new for equal values, whatever their step', () => {
  expect(mergeReadings(day(30, [1, 2]), day(30, [1, 2]))).toBeNull()
  expect(mergeReadings(day(15, [1, 1, 2, 2]), day(30, [1, 2]))).toBeNull()
  expect(mergeReadings(day(30, [1, 2]), day(15, [1, 1, 2, 2]))).toBeNull()
  expect(mergeReadings(day(30, [1, 2]), day(30, [-1, 2]))).toBeNull()
})

test('adds new values and keeps those missing in the file', () => {
  expect(toComparable(mergeReadings(day(30, [1, -1]), day(30, [-1, 2])))).toEqual({
    step: 30,
    watts: [1, 2],
    marks: [1, 1],
  })
})

test('merges two steps at their common divisor', () => {
  const merged = mergeReadings(day(15, [4, 4, 8, 8]), day(10, [-1, -1, -1, 6, 6, 6]))
  expect(merged?.step).toBe(5)
  expect([...(merged?.watts ?? [])]).toEqual([4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 6])
})

test('keeps finer readings when a coarser value repeats their mean, and replaces them otherwise', () => {
  expect(mergeReadings(day(30, [100, 201, 50, 50]), day(60, [151, 50]))).toBeNull()
  expect(toComparable(mergeReadings(day(30, [100, 200, 50, 50]), day(60, [180, 50])))).toEqual({
    step: 30,
    watts: [180, 180, 50, 50],
    marks: [2, 2, 1, 1],
  })
  expect(toComparable(mergeReadings(day(30, [100, -1, 50, 50]), day(60, [100, 50])))?.watts).toEqual([100, 100, 50, 50])
  expect(toComparable(mergeReadings(day(30, [100, 200], 3), day(60, [150])))).toEqual({
    step: 30,
    watts: [150, 150],
    marks: [1, 1],
  })
})

test('marks a raw value as a correction over a measured one, and as measured over an estimate', () => {
  expect(toComparable(mergeReadings(day(30, [1, 2]), day(30, [1, 3])))).toEqual({
    step: 30,
    watts: [1, 3],
    marks: [1, 2],
  })
  const corrected = day(30, [1, 3], 2, [1, 2])
  expect(mergeReadings(corrected, day(30, [1, 3]))).toBeNull()
  expect(toComparable(mergeReadings(day(30, [5, 5], 3), day(30, [5, 6])))).toEqual({
    step: 30,
    watts: [5, 6],
    marks: [1, 1],
  })
  expect(toComparable(mergeReadings(day(30, [5, 5]), day(30, [5, 5], 2)))).toEqual({
    step: 30,
    watts: [5, 5],
    marks: [2, 2],
  })
})

test('treats zero as a value and missing as none', () => {
  expect(toComparable(mergeReadings(day(60, [-1]), day(60, [0])))).toEqual({ step: 60, watts: [0], marks: [1] })
  expect(computeCurveDayFacts(day(30, [0, -1]))).toEqual({ present: 1, expected: 2, energy: 0, peak: 0 })
})

const steps = fc.constantFrom(10, 15, 30, 60)
const readings = steps.chain((step) =>
  fc
    .record({
      values: fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 120 / step, maxLength: 120 / step }),
      quality: fc.constantFrom<ReadingQuality>(1, 2, 3),
    })
    .map(({ values, quality }) => day(step as 15, values, quality)),
)

test('contains every new value, loses no known one, and is unchanged by merging again', () => {
  fc.assert(
    fc.property(readings, readings, (known, news) => {
      const merged = mergeReadings(known, news) ?? known
      const coarser = news.step > known.step && news.step % known.step === 0
      const [all, before, after] = [merged, known, news].map((one) => refineReadings(one, 5).watts)
      all?.forEach((value, at) => {
        const said = after?.[at] ?? -1
        expect(coarser ? [said, before?.[at]] : [said < 0 ? before?.[at] : said]).toContain(value)
      })
      expect(mergeReadings(merged, news)).toBeNull()
    }),
    { numRuns: 2000 },
  )
})
