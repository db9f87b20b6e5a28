import { expect, test } from 'vitest'
import { getFullRange, isFullRange, shiftTimeRange, zoomTimeRange } from './chart-view.ts'

const times = Array.from({ length: 97 }, (_, step) => 1_000_000 + step * 900)
const whole = getFullRange(times)

test('zooming keeps the middle and stops at the data and at a few steps', () => {
  expect(zoomTimeRange(whole, 0.5, times)).toEqual([1_000_000 + 21_600, 1_000_000 + 64_800])
  expect(zoomTimeRange(whole, 2, times)).toEqual(whole)
  const [from, to] = zoomTimeRange([1_000_000, 1_000_900], 0.5, times)
  expect(to - from).toBe(3600)
  expect(from).toBe(1_000_000)
})

test('before and after keep the length and stay inside', () => {
  expect(shiftTimeRange([1_000_000, 1_003_600], 1, times)).toEqual([1_003_600, 1_007_200])
  expect(shiftTimeRange([1_000_900, 1_004_500], -1, times)).toEqual([1_000_000, 1_003_600])
  expect(isFullRange(whole, times)).toBe(true)
  expect(isFullRange(shiftTimeRange([1_000_000, 1_003_600], 1, times), times)).toBe(false)
})

test('nothing to show is no error', () => {
  expect(zoomTimeRange(getFullRange([]), 0.5, [])).toEqual([0, 0])
})
