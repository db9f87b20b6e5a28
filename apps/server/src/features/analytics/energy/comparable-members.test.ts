import { expect, test } from 'vitest'
import { computeAnonymousMean } from './energy-summary.ts'

test('requires at least five values for a mean', () => {
  expect(computeAnonymousMean([0.1, 0.2, 0.3, 0.4])).toBeNull()
  expect(computeAnonymousMean([0.1, 0.2, 0.3, 0.4, 0.5])).toBeCloseTo(0.3, 10)
})

test('refuses a mean when one person makes more than half of it', () => {
  expect(computeAnonymousMean([0.1, 0.1, 0.1, 0.1, 0.5])).toBeNull()
  expect(computeAnonymousMean([0, 0, 0, 0, 0.2])).toBeNull()
  expect(computeAnonymousMean([0.1, 0.1, 0.1, 0.1, 0.4])).toBeCloseTo(0.16, 10)
})

test('gives a mean of zero when nobody received anything', () => {
  expect(computeAnonymousMean([0, 0, 0, 0, 0])).toBe(0)
})
