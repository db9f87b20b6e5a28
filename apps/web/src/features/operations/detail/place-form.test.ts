import { expect, test } from 'vitest'
import { isPlaced } from './place-form.tsx'

const point = { id: 'p', label: 'Maison 4, Ada Vidal', version: 3, isVague: true }

test('a pin that waits where nothing better is known is nobody’s place until it is moved', () => {
  expect(isPlaced({ point, moved: false })).toBe(false)
  expect(isPlaced({ point, moved: true })).toBe(true)
  expect(isPlaced({ point: { ...point, isVague: false }, moved: false })).toBe(true)
})
