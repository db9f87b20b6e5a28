import { expect, test } from 'vitest'
import { ApiError } from './call.ts'
import { buildLoginPath, isSessionRefusal } from './session-refusal.ts'

const refused = (status: number, code: string) =>
  new ApiError(
    status,
    JSON.stringify({ type: 't', title: 't', status, code, detail: 'd', message: 'd', requestId: 'r' }),
  )

test.each([
  [401, 'unauthenticated', true],
  [401, 'session-expired', true],
  [401, 'credentials', false],
  [401, 'second-factor', false],
  [403, 'forbidden', false],
])('%i %s ends the session: %s', (status, code, ends) => {
  expect(isSessionRefusal(refused(status, code))).toBe(ends)
})

test('the page left comes back after sign-in', () => {
  expect(buildLoginPath({ pathname: '/users', search: '?q=a&page=2' })).toBe(
    '/login?redirect=%2Fusers%3Fq%3Da%26page%3D2',
  )
})
