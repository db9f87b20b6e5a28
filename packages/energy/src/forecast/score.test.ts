import { expect, test } from 'vitest'
import { computeBandCoverage, computeBias, computeNmae, computeNrmse, computePinball, computeSkill } from './score.ts'

const measured = [0, 310, 720, -1, 445, Number.NaN]
const forecastValues = [0, 350, 700, 999, 400, 999]

test('errors are parts of the peak power, over what was measured', () => {
  expect(computeNmae(measured, forecastValues, 1000)).toBeCloseTo((40 + 20 + 45) / 4 / 1000, 12)
  expect(computeNrmse(measured, forecastValues, 1000)).toBeCloseTo(Math.sqrt((1600 + 400 + 2025) / 4) / 1000, 12)
  expect(computeBias(measured, forecastValues, 1000)).toBeCloseTo((40 - 20 - 45) / 4 / 1000, 12)
})

test('the pinball loss is lowest when a level is exceeded as often as it states', () => {
  expect(computePinball([100], [60], 0.9, 100)).toBeCloseTo(0.36, 12)
  expect(computePinball([60], [100], 0.9, 100)).toBeCloseTo(0.04, 12)
  expect(computePinball([60, 100], [100, 60], 0.5, 100)).toBeCloseTo(computeNmae([60, 100], [100, 60], 100) / 2, 12)
})

test('a value on a bound is within the band', () => {
  expect(computeBandCoverage([10, 20, 30, 31, -1], [10, 21, 20, 20, 0], [15, 25, 30, 30, 9])).toBe(0.5)
})

test('skill compares with another error; without measures there is no score', () => {
  expect(computeSkill(3, 4)).toBe(0.25)
  expect(computeSkill(5, 4)).toBe(-0.25)
  expect(computeNmae([-1, Number.NaN], [1, 2], 10)).toBeNaN()
})
