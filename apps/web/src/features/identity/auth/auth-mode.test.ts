import { expect, test } from 'vitest'
import { buildAuthLink, parseAuthMode } from './auth-mode.ts'

test.each([
  ['', { name: 'sign-in' }],
  ['logout=true', { name: 'sign-in' }],
  ['mode=register', { name: 'register' }],
  ['mode=forgotten', { name: 'forgotten' }],
  ['mode=enterprise', { name: 'enterprise' }],
  ['sso=7.abc&mode=enterprise', { name: 'enterprise-return', token: '7.abc' }],
  ['mode=other', { name: 'sign-in' }],
  ['reset=abc', { name: 'reset', token: 'abc' }],
  ['invitation=abc&mode=register', { name: 'invitation', token: 'abc' }],
])('/login?%s', (search, mode) => expect(parseAuthMode(new URLSearchParams(search))).toEqual(mode))

test('the page asked for follows to the other forms, the rest does not', () => {
  const search = new URLSearchParams('redirect=/users?q=1&logout=true')
  expect(buildAuthLink(search, 'register')).toBe('/login?mode=register&redirect=%2Fusers%3Fq%3D1')
  expect(buildAuthLink(search)).toBe('/login?redirect=%2Fusers%3Fq%3D1')
  expect(buildAuthLink(new URLSearchParams())).toBe('/login')
})
