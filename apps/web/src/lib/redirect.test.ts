import { expect, test } from 'vitest'
import { getHomePath, toSafeRedirect } from './redirect.ts'

const ORIGIN = 'https://voisol.test'

test.each(['/users', '/users?q=a%2Fb&page=2', '/dashboard/1#suite', '/users?next=//ailleurs', '/a%20b'])(
  '%s is followed',
  (path) => expect(toSafeRedirect(path, ORIGIN)).toBe(path),
)

test.each([
  null,
  '',
  'users',
  'https://evil.example',
  'https:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%5Cevil.example',
  '/%2Fevil.example',
  '/%252Fevil.example',
  '%2F%2Fevil.example',
  '%252F%252Fevil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/x/..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '/%0d%0aevil',
  ' /users',
  '/%E0%A4%A',
  `/${'%25'.repeat(9)}2Fevil`,
  'data:text/html,x',
  'https://voisol.test@evil.example',
  '/login',
  '/login?redirect=/login',
  '/LOGIN/',
])('%j is not', (value) => expect(toSafeRedirect(value, ORIGIN)).toBeNull())

test('each space has its home', () => {
  expect(getHomePath({ space: 'office' })).toBe('/dashboard')
  expect(getHomePath({ space: 'portal' })).toBe('/client-portal')
})
