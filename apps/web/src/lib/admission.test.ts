import { generatePath } from 'react-router'
import { describe, expect, test } from 'vitest'
import { screens } from '../screens/table.ts'
import { sentTo } from './admission.ts'

const ORIGIN = 'https://voisol.test'
const HOME = { admin: '/dashboard', client: '/client-portal' }
const PEOPLE = {
  nobody: null,
  admin: { isAdmin: true, keepsSite: true },
  client: { isAdmin: false, keepsSite: false },
}
const PARAMS = { id: 'a', companyId: '1', operationId: 'b', pdlId: 'c' }
const at = (address: string) => new URL(address, ORIGIN)
const whoever = ['nobody', 'admin', 'client'] as const

/** The law of the table: who sees a screen, and where everybody else is sent. */
describe.each(screens.map((row) => ({ row, path: generatePath(row.path, PARAMS) })))('$row.path', ({ row, path }) => {
  test.each(whoever)('as %s', (who) => {
    const sent = sentTo(row, PEOPLE[who], at(path))
    if (row.path === '/login') expect(sent).toBe(who === 'nobody' ? null : HOME[who])
    else if (row.role === 'public') expect(sent).toBeNull()
    else if (who === 'nobody') expect(sent).toBe(`/login?redirect=${encodeURIComponent(path)}`)
    else expect(sent).toBe(row.role === who ? null : HOME[who])
  })
})

test('the desks of the site are for those who keep it', () => {
  const others = screens.filter(
    (row) => sentTo(row, { isAdmin: true, keepsSite: false }, at(row.path)) === '/dashboard',
  )
  expect(others.filter((row) => row.role === 'admin')).toEqual(screens.filter(({ site }) => site))
})

test('what was asked for comes back after signing in, where it is ours', () => {
  const [login] = screens.filter(({ signIn }) => signIn)
  const [users] = screens.filter(({ path }) => path === '/users')
  if (!login || !users) throw new Error('no such row')
  const asked = sentTo(users, PEOPLE.nobody, at('/users?q=martin'))
  expect(asked).toBe(`/login?redirect=${encodeURIComponent('/users?q=martin')}`)
  expect(sentTo(login, PEOPLE.admin, at(asked ?? ''))).toBe('/users?q=martin')
  expect(sentTo(login, PEOPLE.admin, at('/login?redirect=//ailleurs.exemple'))).toBe('/dashboard')
})

test('a link received by mail is followed whoever is signed in', () => {
  const row = { role: 'public', signIn: true } as const
  expect(sentTo(row, PEOPLE.admin, at('/login?invitation=abc'))).toBeNull()
  expect(sentTo(row, PEOPLE.admin, at('/login?reset=abc'))).toBeNull()
})
