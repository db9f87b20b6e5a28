import { expect, test } from 'vitest'
import { buildResponse, testUser } from './fake-browser.ts'
import { parseLoginResponse, parseRegistrationResponse } from './sign-in-answer.ts'

const problem = (more: object) => ({
  type: '/problems/x',
  title: 'x',
  status: 422,
  detail: 'Expliqué.',
  message: 'Expliqué.',
  requestId: 'r',
  ...more,
})

test('a token and a user are taken', async () => {
  expect(await parseLoginResponse(buildResponse({ token: 't', user: testUser }))).toEqual({
    token: 't',
    user: testUser,
  })
})

test.each([
  ['<html>', 200, 'Server returned invalid response'],
  ['<html>', 502, 'Server returned invalid response'],
  ['', 500, 'Server returned invalid response'],
  [{ user: testUser }, 200, 'Invalid response from server'],
  [{ token: 't' }, 200, 'Invalid response from server'],
  [{ token: '', user: testUser }, 200, 'Invalid response from server'],
  [null, 200, 'Invalid response from server'],
  [{}, 401, 'Login failed'],
  [null, 401, 'Login failed'],
  [{ message: 'Non.' }, 401, 'Non.'],
  [{ error: 'Pas ici.' }, 403, 'Pas ici.'],
  [{ message: 'Non.', error: 'Pas ici.' }, 403, 'Non.'],
  [{ message: 7 }, 403, 'Login failed'],
])('login answered %j with %i says « %s »', async (body, status, words) => {
  await expect(parseLoginResponse(buildResponse(body, status))).rejects.toMatchObject({ message: words, detail: words })
})

test('a refusal keeps its code', async () => {
  const refusal = parseLoginResponse(buildResponse(problem({ code: 'second-factor-required' }), 401))
  await expect(refusal).rejects.toMatchObject({ code: 'second-factor-required' })
})

test('a refused registration says so, then why, and where', async () => {
  const issues = [{ path: 'email', message: 'Prise.' }]
  await expect(
    parseRegistrationResponse(buildResponse(problem({ code: 'email-taken', issues }), 409)),
  ).rejects.toMatchObject({
    message: 'Registration failed',
    detail: 'Registration failed. Expliqué.',
    issues,
  })
  await expect(parseRegistrationResponse(buildResponse({}, 500))).rejects.toMatchObject({
    detail: 'Registration failed',
  })
})
