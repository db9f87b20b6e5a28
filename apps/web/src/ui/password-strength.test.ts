import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

test('length decides, repetition weakens', () => {
  expect(passwordStrength('Ab1!').level).toBe(0)
  expect(passwordStrength('abcabcabcabc').level).toBe(1)
  expect(passwordStrength('aaaaaaaaaaaaaaaaaa').level).toBe(1)
  expect(passwordStrength('toiture plate').level).toBe(2)
  expect(passwordStrength('quatre voisins au soleil').level).toBe(3)
})
