import { expect, test } from 'vitest'
import { bell, drift, noise, seedOf } from './random.ts'

const many = Array.from({ length: 20_000 }, (_, i) => i)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: number[]) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

test('the same seed gives the same numbers, another seed others', () => {
  expect(noise('point', 1, 2, 3)).toBe(noise('point', 1, 2, 3))
  expect(noise('point', 1, 2, 3)).not.toBe(noise('point', 1, 3, 2))
  expect(noise('point', 1)).not.toBe(noise('points', 1))
  // Written down once: a change of these would change every curve of the demonstration.
  expect(seedOf('voisol')).toBe(3468984498)
})

test('noise is even, bell and drift have mean 0 and deviation 1', () => {
  const even = many.map((i) => noise('even', i))
  expect(Math.min(...even)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...even)).toBeLessThan(1)
  expect(mean(even)).toBeCloseTo(0.5, 1.7)
  const seed = seedOf('bell')
  for (const values of [many.map((i) => bell(seed, i)), many.map((i) => drift(seed, 1, i / 3))]) {
    expect(Math.abs(mean(values))).toBeLessThan(0.05)
    expect(Math.abs(deviation(values) - 1)).toBeLessThan(0.05)
  }
})

test('drift moves without a jump', () => {
  const seed = seedOf('drift')
  const steps = many.map((i) => Math.abs(drift(seed, 1, i / 100) - drift(seed, 1, (i + 1) / 100)))
  expect(Math.max(...steps)).toBeLessThan(0.15)
})
