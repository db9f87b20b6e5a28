import { expect, test } from 'vitest'
import { anonymousMean } from './comparable.ts'

test('a mean is of five at least', () => {
  expect(anonymousMean([0.1, 0.2, 0.3, 0.4])).toBeNull()
  expect(anonymousMean([0.1, 0.2, 0.3, 0.4, 0.5])).toBeCloseTo(0.3, 10)
})

test('nobody makes more than half of it: the others would be taken away, and that one told', () => {
  expect(anonymousMean([0.1, 0.1, 0.1, 0.1, 0.5])).toBeNull()
  expect(anonymousMean([0, 0, 0, 0, 0.2])).toBeNull()
  expect(anonymousMean([0.1, 0.1, 0.1, 0.1, 0.4])).toBeCloseTo(0.16, 10)
})

test('where nobody received anything, the mean says so', () => {
  expect(anonymousMean([0, 0, 0, 0, 0])).toBe(0)
})
