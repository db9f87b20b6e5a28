import { expect, test } from 'vitest'
import { getFieldError, getFieldErrors } from './field-checks.ts'

const email = { name: 'email', label: 'E-mail', type: 'email' } as const

test.each(['', '   '])('what is missing is told (%j)', (value) => {
  expect(getFieldError(email, value)).toBe('Ce champ est obligatoire.')
  expect(getFieldError({ ...email, optional: true }, value)).toBeUndefined()
})

test.each(['x', 'a@b', '@exemple.fr', 'a b@exemple.fr', 'a@exemple.'])('%s is not an address', (value) => {
  expect(getFieldError(email, value)).toMatch(/^Adresse e-mail attendue/)
})

test('what is right has no fault', () => {
  expect(getFieldError(email, ' ada@exemple.fr ')).toBeUndefined()
  expect(getFieldError({ name: 'phone', label: 'Téléphone', type: 'tel' }, '06 12 34 56 78')).toBeUndefined()
  expect(getFieldError({ name: 'phone', label: 'Téléphone', type: 'tel' }, 'demain')).toMatch(/^Numéro attendu/)
})

test('a text too short or too long is told with what is expected', () => {
  const message = { name: 'message', label: 'Message', minLength: 10, maxLength: 12 }
  expect(getFieldError(message, 'court')).toMatch(/10/)
  expect(getFieldError(message, 'bien trop long pour lui')).toMatch(/12/)
  expect(getFieldErrors([message, email], { message: 'dix lettres', email: '' })).toEqual({
    email: 'Ce champ est obligatoire.',
  })
})
