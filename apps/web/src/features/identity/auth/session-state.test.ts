import { expect, test } from 'vitest'
import { formatHoursAndMinutes, shortenId } from './session-state.tsx'

test('durations are rounded down', () => {
  expect(formatHoursAndMinutes(86_399_999)).toBe('23\u00a0h 59\u00a0min')
  expect(formatHoursAndMinutes(60_000)).toBe('0\u00a0h 01\u00a0min')
  expect(formatHoursAndMinutes(-5)).toBe('0\u00a0h 00\u00a0min')
})

test('identifiers are cut, short ones are not', () => {
  expect(shortenId('3f0e5c0e4a534c8f')).toBe('3f0e5c0e…')
  expect(shortenId('abc')).toBe('abc')
  expect(shortenId('')).toBe('—')
})
