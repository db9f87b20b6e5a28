import { expect, test } from 'vitest'
import { formatPointChoice, hasExactPlace } from './place-form.tsx'

const point = { id: 'p', label: 'Maison 4, Ada Vidal', version: 3, isVague: true }

test('a pin that waits where nothing better is known is nobody’s place until it is moved', () => {
  expect(hasExactPlace({ point, moved: false })).toBe(false)
  expect(hasExactPlace({ point, moved: true })).toBe(true)
  expect(hasExactPlace({ point: { ...point, isVague: false }, moved: false })).toBe(true)
})

test('what is known of a place is said where one chooses it: nothing, a commune, or all of it', () => {
  expect(formatPointChoice(point)).toBe('Maison 4, Ada Vidal (à situer)')
  expect(formatPointChoice({ ...point, commune: 'Dunkerque' })).toBe(
    'Maison 4, Ada Vidal (à situer, commune\u00a0: Dunkerque)',
  )
  expect(formatPointChoice({ ...point, isVague: false, commune: 'Dunkerque' })).toBe('Maison 4, Ada Vidal')
})
