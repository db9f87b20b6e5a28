import { expect, test } from 'vitest'
import { duration, short } from './logout-words.ts'

test('durations are rounded down', () => {
  expect(duration(86_399_999)).toBe('23\u00a0h 59\u00a0min')
  expect(duration(60_000)).toBe('0\u00a0h 01\u00a0min')
  expect(duration(-5)).toBe('0\u00a0h 00\u00a0min')
})

test('identifiers are cut, short ones are not', () => {
  expect(short('3f0e5c0e4a534c8f')).toBe('3f0e5c0e…')
  expect(short('abc')).toBe('abc')
  expect(short('')).toBe('—')
})
