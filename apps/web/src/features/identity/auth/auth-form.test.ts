import { expect, test, vi } from 'vitest'
import { SignInError } from '../../../lib/sign-in-answer.ts'
import { getProblemCode, showFormErrors } from './auth-form.tsx'

const problem = (issues: { path: string; message: string }[]) => ({
  type: 't',
  title: 't',
  status: 422,
  code: 'weak-password',
  detail: 'd',
  message: 'd',
  requestId: 'r',
  issues,
})
const collectFormErrors = (error: unknown) => {
  const setError = vi.fn()
  showFormErrors({ setError }, error)
  return setError.mock.calls.map(([name, { message }]) => [name, message])
}

test('a refusal without a field concerns the form', () => {
  expect(collectFormErrors(new SignInError('Non.'))).toEqual([['root', 'Non.']])
})

test('a refused registration keeps its text beside the fields', () => {
  const error = new SignInError(
    'Registration failed',
    'Registration failed. d',
    problem([{ path: 'password', message: 'Trop courant.' }]),
  )
  expect(collectFormErrors(error)).toEqual([
    ['password', 'Trop courant.'],
    ['root', 'Registration failed'],
  ])
  expect(getProblemCode(error)).toBe('weak-password')
})

test('a network that fails is told in French', () => {
  expect(collectFormErrors(new TypeError('Failed to fetch'))[0]?.[1]).toMatch(/^La connexion au serveur a échoué/)
})
