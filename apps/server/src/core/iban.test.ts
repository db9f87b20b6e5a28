import { expect, test } from 'vitest'
import { compactIban, findIbanError } from './iban.ts'

const GOOD = [
  'FR76 3000 6000 0112 3456 7890 189',
  'DE89 3704 0044 0532 0130 00',
  'BE68 5390 0754 7034',
  'nl91abna0417164300',
]

test.each(GOOD)('%s is accepted as an IBAN', (iban) => {
  expect(findIbanError(compactIban(iban))).toBeNull()
})

test.each(GOOD)('of %s, any other last digit is refused', (iban) => {
  const known = compactIban(iban)
  const last = Number(known.at(-1))
  for (let figure = 0; figure < 10; figure++)
    if (figure !== last) expect(findIbanError(known.slice(0, -1) + figure)).toContain('clé de contrôle')
})

test('two swapped digits are refused', () => {
  expect(findIbanError('FR7630006000011234567980189')).toContain('clé de contrôle')
})

test('one character more or less, another country or another format is refused', () => {
  expect(findIbanError('BE685390075470345')).toContain('compte 16 caractères')
  expect(findIbanError('BE6853900754703')).toContain('compte 16 caractères')
  expect(findIbanError('US6853900754703')).toContain('zone SEPA')
  expect(findIbanError('7630006000011234567890189')).toContain('deux lettres')
})
