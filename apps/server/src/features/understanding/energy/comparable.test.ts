import { expect, test } from 'vitest'
import { computeAnonymousMean } from './comparable.ts'

test('a mean is of five at least', () => {
  expect(computeAnonymousMean([0.1, 0.2, 0.3, 0.4])).toBeNull()
  expect(computeAnonymousMean([0.1, 0.2, 0.3, 0.4, 0.5])).toBeCloseTo(0.3, 10)
})

test('nobody makes more than half of it: the others would be taken away, and that one told', () => {
  expect(computeAnonymousMean([0.1, 0.1, 0.1, 0.1, 0.5])).toBeNull()
  expect(computeAnonymousMean([0, 0, 0, 0, 0.2])).toBeNull()
  expect(computeAnonymousMean([0.1, 0.1, 0.1, 0.1, 0.4])).toBeCloseTo(0.16, 10)
})

test('where nobody received anything, the mean says so', () => {
  expect(computeAnonymousMean([0, 0, 0, 0, 0])).toBe(0)
})
