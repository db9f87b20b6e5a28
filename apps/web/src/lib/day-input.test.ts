import { expect, test } from 'vitest'
import { formatDayInput, formatMomentInput, insertDateSlashes, parseDay, parseMoment } from './day-input.ts'

test('a day is read as people write it, and as programs do', () => {
  const first = [
    '1/3/26',
    '01/03/2026',
    '01032026',
    '010326',
    '1.3.2026',
    '1-3-26',
    ' 01 03 2026 ',
    '2026-03-01',
    '2026-03-01T12:00:00Z',
  ]
  expect(first.map(parseDay)).toEqual(first.map(() => '2026-03-01'))
  expect(parseDay('29/02/2028')).toBe('2028-02-29')
  expect(parseDay('12/07/98')).toBe('1998-07-12')
})

test('what is no day is none', () => {
  const none = [
    '',
    '31/02/2026',
    '29/02/2027',
    '2026',
    '1/3',
    '13/13/2026',
    '00/01/2026',
    'demain',
    '1/3/226',
    '32/01/26',
  ]
  expect(none.map(parseDay)).toEqual(none.map(() => null))
})

test('it shows as jj/mm/aaaa; what was half typed stays', () => {
  expect(formatDayInput('2026-03-01')).toBe('01/03/2026')
  expect(formatDayInput('31/02')).toBe('31/02')
  for (const day of ['2026-03-29', '2024-02-29', '1987-12-31']) expect(parseDay(formatDayInput(day))).toBe(day)
})

test('slashes come while one types, never while one erases or corrects', () => {
  const typed = [...'01032026'].reduce((text, digit) => insertDateSlashes(text, text + digit), '')
  expect(typed).toBe('01/03/2026')
  expect([...'1/3/26'].reduce((text, digit) => insertDateSlashes(text, text + digit), '')).toBe('1/3/26')
  expect([...'01/03/26'].reduce((text, digit) => insertDateSlashes(text, text + digit), '')).toBe('01/03/26')
  expect(insertDateSlashes('01/', '01')).toBe('01')
  expect(insertDateSlashes('', '2026-03-01')).toBe('2026-03-01')
})

test('a day with its hour', () => {
  expect(['15/01/2099 9h30', '15/01/2099 09:30', '2099-01-15T09:30', '15/01/99 à 9h30'].map(parseMoment)).toEqual([
    '2099-01-15T09:30',
    '2099-01-15T09:30',
    '2099-01-15T09:30',
    '1999-01-15T09:30',
  ])
  expect(['15/01/2099', '15/01/2099 24:00', '15/01/2099 9h75', '9h30'].map(parseMoment)).toEqual([
    null,
    null,
    null,
    null,
  ])
  expect(formatMomentInput('2099-01-15T09:30')).toBe('15/01/2099 09:30')
})
