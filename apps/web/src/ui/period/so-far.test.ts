import { expect, test } from 'vitest'
import { periodOf } from './period.ts'
import { beforeWords, soFar } from './so-far.ts'

const november = periodOf('month', '2026-11-15')

test('a period that is not over ends where the readings end', () => {
  expect(soFar(november, '2026-11-13')).toEqual({ from: '2026-11-01', to: '2026-11-14' })
  expect(soFar(november, null)).toEqual({ from: '2026-11-01', to: '2026-12-01' })
  expect(soFar(november, '2026-10-20').to).toBe('2026-12-01')
  expect(soFar(november, '2026-12-20').to).toBe('2026-12-01')
})

test('what it is compared with is named', () => {
  expect(beforeWords(november, november)).toBe('octobre 2026')
  expect(beforeWords(november, soFar(november, '2026-11-13'))).toBe('la période précédente')
  const year = periodOf('year', '2026-11-15')
  expect(beforeWords(year, year)).toBe('l’année 2025')
  expect(beforeWords(year, soFar(year, '2026-11-13'))).toBe('la même période de 2025')
  const day = periodOf('day', '2026-11-15')
  expect(beforeWords(day, day)).toBe('la veille')
})
