import { expect, test } from 'vitest'
import { bell, uniform } from '../model/random.ts'
import { nextBelow, quantile, quantileOf } from './quantile.ts'

const some = (count: number, seed: number) => Float64Array.from({ length: count }, (_, at) => bell(seed, at))

test('what is found without putting all in order is what order would give', () => {
  for (let count = 0; count < 60; count++)
    for (const level of [0, 0.1, 0.5, 0.9, 1]) {
      // Many alike, as where a plant gives nothing.
      const values = some(count, count).map((value, at) => (uniform(9, at) < 0.4 ? 0 : value))
      expect(quantileOf(values.slice(), level)).toBe(quantile(values.slice(), level))
    }
})

test('the next value lies below the k-th of n with a chance of k in n + 1', () => {
  expect(nextBelow([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.1)).toBe(10)
  expect(nextBelow([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.9)).toBe(90)
  expect(nextBelow([10, 20, 30, 40, 50, 60, 70, 80], 0.9)).toBeNaN()
  expect(nextBelow([], 0.5)).toBeNaN()
  let below = 0
  for (let trial = 0; trial < 4_000; trial++) {
    const [next = 0, ...seen] = some(15, trial)
    if (next < nextBelow(Float64Array.from(seen).sort(), 0.9)) below++
  }
  expect(below / 4_000).toBeCloseTo(0.9, 1.5)
})
