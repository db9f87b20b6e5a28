import { expect, test } from 'vitest'
import { countPasswordCharacters, hashPassword, requireStrongPassword, verifyPassword } from './passwords.ts'

const WORDS = 'vingt-sept hirondelles bleues'
const strong = (password: string, inOffice: boolean, secondFactor = false) => {
  try {
    requireStrongPassword(password, { inOffice, secondFactor, email: 'camille@exemple.fr' })
    return true
  } catch {
    return false
  }
}

test.each([
  ['a client', false, false, 12],
  ['an administrator with a second factor', true, true, 12],
  ['an administrator', true, false, 15],
])('minimum length of the password of %s', (_, inOffice, secondFactor, least) => {
  expect(strong(WORDS.slice(0, least - 1), inOffice, secondFactor)).toBe(false)
  expect(strong(WORDS.slice(0, least), inOffice, secondFactor)).toBe(true)
})

test('counts characters as people do', () => {
  expect(countPasswordCharacters('🌞🌞🌞')).toBe(3)
  expect(strong('🌞🌻🐝🦋🍀🌈', false)).toBe(false)
})

test('refuses common passwords and the name of the mail address', () => {
  expect(strong('motdepasse2026', false)).toBe(false)
  expect(strong('camille-camille', false)).toBe(false)
  expect(strong('azertyuiopqsdfgh', false)).toBe(false)
})

test('uses every character of a password of a thousand characters', async () => {
  const long = `${WORDS} `.repeat(36).slice(0, 1000)
  expect(strong(long, false)).toBe(true)
  const stored = await hashPassword(long)
  expect([await verifyPassword(stored, long), await verifyPassword(stored, `${long.slice(0, -1)}?`)]).toEqual([
    true,
    false,
  ])
})

test('an account without a password accepts none, not even that of the dummy hash', async () => {
  expect(await verifyPassword(null, 'a password nobody has')).toBe(false)
  expect(await verifyPassword(undefined, 'a password nobody has')).toBe(false)
  const stored = await hashPassword(WORDS)
  expect([await verifyPassword(stored, WORDS), await verifyPassword(stored, `${WORDS} `)]).toEqual([true, false])
})
