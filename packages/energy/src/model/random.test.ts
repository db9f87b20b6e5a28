import { expect, test } from 'vitest'
import { drawBell, drawDrift, drawNoise, toSeed } from './random.ts'

const many = Array.from({ length: 20_000 }, (_, i) => i)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const deviation = (values: number[]) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

test('the same seed gives the same numbers, another seed gives others', () => {
  expect(drawNoise('point', 1, 2, 3)).toBe(drawNoise('point', 1, 2, 3))
  expect(drawNoise('point', 1, 2, 3)).not.toBe(drawNoise('point', 1, 3, 2))
  expect(drawNoise('point', 1)).not.toBe(drawNoise('points', 1))
  // Fixed values: if they changed, every curve of the demonstration would change.
  expect(toSeed('voisol')).toBe(3468984498)
})

test('uniform noise is even; bell and drift have mean 0 and deviation 1', () => {
  const even = many.map((i) => drawNoise('even', i))
  expect(Math.min(...even)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...even)).toBeLessThan(1)
  expect(mean(even)).toBeCloseTo(0.5, 1.7)
  const seed = toSeed('bell')
  for (const values of [many.map((i) => drawBell(seed, i)), many.map((i) => drawDrift(seed, 1, i / 3))]) {
    expect(Math.abs(mean(values))).toBeLessThan(0.05)
    expect(Math.abs(deviation(values) - 1)).toBeLessThan(0.05)
  }
})

test('drift moves without a jump', () => {
  const seed = toSeed('drift')
  const steps = many.map((i) => Math.abs(drawDrift(seed, 1, i / 100) - drawDrift(seed, 1, (i + 1) / 100)))
  expect(Math.max(...steps)).toBeLessThan(0.15)
})
