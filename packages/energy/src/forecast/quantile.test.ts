import { expect, test } from 'vitest'
import { drawBell, drawUniform } from '../model/random.ts'
import { computePredictiveQuantile, computeQuantile, selectQuantile } from './quantile.ts'

const some = (count: number, seed: number) => Float64Array.from({ length: count }, (_, at) => drawBell(seed, at))

test('selecting a quantile gives the same as sorting', () => {
  for (let count = 0; count < 60; count++)
    for (const level of [0, 0.1, 0.5, 0.9, 1]) {
      // Many equal values, as where a plant produces nothing.
      const values = some(count, count).map((value, at) => (drawUniform(9, at) < 0.4 ? 0 : value))
      expect(selectQuantile(values.slice(), level)).toBe(computeQuantile(values.slice(), level))
    }
})

test('the next value lies below the k-th of n with a chance of k in n + 1', () => {
  expect(computePredictiveQuantile([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.1)).toBe(10)
  expect(computePredictiveQuantile([10, 20, 30, 40, 50, 60, 70, 80, 90], 0.9)).toBe(90)
  expect(computePredictiveQuantile([10, 20, 30, 40, 50, 60, 70, 80], 0.9)).toBeNaN()
  expect(computePredictiveQuantile([], 0.5)).toBeNaN()
  let below = 0
  for (let trial = 0; trial < 4_000; trial++) {
    const [next = 0, ...seen] = some(15, trial)
    if (next < computePredictiveQuantile(Float64Array.from(seen).sort(), 0.9)) below++
  }
  expect(below / 4_000).toBeCloseTo(0.9, 1.5)
})
