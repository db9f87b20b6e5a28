import { expect, test } from 'vitest'
import { bias, coverage, nMAE, nRMSE, pinball, skill } from './score.ts'

const measured = [0, 310, 720, -1, 445, Number.NaN]
const said = [0, 350, 700, 999, 400, 999]

test('errors are parts of the peak power, over what was measured', () => {
  expect(nMAE(measured, said, 1000)).toBeCloseTo((40 + 20 + 45) / 4 / 1000, 12)
  expect(nRMSE(measured, said, 1000)).toBeCloseTo(Math.sqrt((1600 + 400 + 2025) / 4) / 1000, 12)
  expect(bias(measured, said, 1000)).toBeCloseTo((40 - 20 - 45) / 4 / 1000, 12)
})

test('pinball asks a level to be passed as often as it says', () => {
  expect(pinball([100], [60], 0.9, 100)).toBeCloseTo(0.36, 12)
  expect(pinball([60], [100], 0.9, 100)).toBeCloseTo(0.04, 12)
  expect(pinball([60, 100], [100, 60], 0.5, 100)).toBeCloseTo(nMAE([60, 100], [100, 60], 100) / 2, 12)
})

test('a band holds its bounds', () => {
  expect(coverage([10, 20, 30, 31, -1], [10, 21, 20, 20, 0], [15, 25, 30, 30, 9])).toBe(0.5)
})

test('skill is against another error; nothing measured has no score', () => {
  expect(skill(3, 4)).toBe(0.25)
  expect(skill(5, 4)).toBe(-0.25)
  expect(nMAE([-1, Number.NaN], [1, 2], 10)).toBeNaN()
})
