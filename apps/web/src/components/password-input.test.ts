import { expect, test } from 'vitest'
import { getPasswordStrength } from './password-input.tsx'

test('length decides, repetition weakens', () => {
  expect(getPasswordStrength('Ab1!').level).toBe(0)
  expect(getPasswordStrength('abcabcabcabc').level).toBe(1)
  expect(getPasswordStrength('aaaaaaaaaaaaaaaaaa').level).toBe(1)
  expect(getPasswordStrength('toiture plate').level).toBe(2)
  expect(getPasswordStrength('quatre voisins au soleil').level).toBe(3)
})
