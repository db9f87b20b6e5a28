import { describe, expect, test } from 'vitest'
import {
  dayInputSchema,
  formatNumberInput,
  formatPosition,
  numberInputSchema,
  parsePosition,
  positionInputSchema,
} from './field-schemas.ts'

describe('numbers as they are typed', () => {
  const price = numberInputSchema({ min: 0, max: 10, scale: 10_000 })
  test.each([
    ['0,12', 1200],
    ['0.2016', 2016],
    [' 1,5 ', 15_000],
  ])('%s', (text, stored) => expect(price.parse(text)).toBe(stored))

  test('thousands with a space', () => {
    expect(numberInputSchema({ min: 0, max: 1e6 }).parse('1\u202f234')).toBe(1234)
    expect(numberInputSchema({ min: 0, max: 1e6, scale: 1000 }).parse('36,5')).toBe(36_500)
  })

  test('what is no number or too much is refused in French', () => {
    expect(price.safeParse('douze').error?.issues[0]?.message).toContain('Nombre attendu, par exemple')
    expect(price.safeParse('').success).toBe(false)
    expect(price.safeParse('11').error?.issues[0]?.message).toBe('Nombre attendu entre 0 et 10.')
  })

  test('are shown again as they were typed', () => {
    expect(formatNumberInput(2016, 10_000)).toBe('0,2016')
    expect(formatNumberInput(120_000, 100)).toBe('1200')
  })
})

test('a day or nothing', () => {
  expect(dayInputSchema.parse('')).toBeNull()
  expect(dayInputSchema.parse('2026-03-29')).toBe('2026-03-29')
  expect(dayInputSchema.safeParse('2026-02-30').success).toBe(false)
})

test('a position as maps give it', () => {
  const place = { latitude: 45.7601, longitude: 4.8512 }
  expect(parsePosition('45.7601, 4.8512')).toEqual(place)
  expect(parsePosition('45,7601 ; 4,8512')).toEqual(place)
  expect(parsePosition('-20.88 55.45')).toEqual({ latitude: -20.88, longitude: 55.45 })
  expect(parsePosition('Lyon')).toBeNull()
  expect(parsePosition('95.1, 4.2')).toBeNull()
  expect(formatPosition(place)).toBe('45,7601 ; 4,8512')
  expect(positionInputSchema.parse('')).toEqual({ latitude: null, longitude: null })
  expect(positionInputSchema.safeParse('ici').success).toBe(false)
})
