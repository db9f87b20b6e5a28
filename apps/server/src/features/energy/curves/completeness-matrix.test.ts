import { expect, test } from 'vitest'
import { mapLettersByDay } from './completeness-matrix.ts'

test('a letter stands at its day, whatever came before it', () => {
  // The 1st, the 3rd and the 31st of January, then the 2nd of February.
  const months = [
    { month: '2026-01-01', mask: 1 | 4 | (1 << 30), letters: 'rpe' },
    { month: '2026-02-01', mask: 2, letters: 'c' },
  ]
  expect([...mapLettersByDay(months, '2026-01-01')]).toEqual([
    [0, 'r'],
    [2, 'p'],
    [30, 'e'],
    [32, 'c'],
  ])
  expect(mapLettersByDay(months, '2026-01-31').get(0)).toBe('e')
  expect(mapLettersByDay([], '2026-01-01').size).toBe(0)
})
