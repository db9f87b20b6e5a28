import { PERMISSIONS, permissions } from '@voisol/contract/permissions'
import { generatePath } from 'react-router'
import { describe, expect, test } from 'vitest'
import { screens } from '../app/screens/table.ts'
import { findMissingPermission, getRedirectTarget, getSpaceOfRole } from './admission.ts'
import { TEST_ACCESS_PROFILES } from './test-access-profiles.ts'

const ORIGIN = 'https://voisol.test'
const HOME = { office: '/dashboard', portal: '/client-portal' }
const PEOPLE = { nobody: null, office: { space: 'office' }, portal: { space: 'portal' } } as const
const PARAMS = { id: 'a', companyId: '1', operationId: 'b', pdlId: 'c', invoiceId: 'd' }
const at = (address: string) => new URL(address, ORIGIN)
const whoever = ['nobody', 'office', 'portal'] as const

/** The law of the table: who sees a screen, and where everybody else is sent. */
describe.each(screens.map((row) => ({ row, path: generatePath(row.path, PARAMS) })))('$row.path', ({ row, path }) => {
  test.each(whoever)('as %s', (who) => {
    const sent = getRedirectTarget(row, PEOPLE[who], at(path))
    if (row.path === '/login') expect(sent).toBe(who === 'nobody' ? null : HOME[who])
    else if (row.role === 'public') expect(sent).toBeNull()
    else if (who === 'nobody') expect(sent).toBe(`/login?redirect=${encodeURIComponent(path)}`)
    else expect(sent).toBe(getSpaceOfRole(row.role) === who ? null : HOME[who])
  })
})

test('the space decides, not what somebody could also be: who has both is where they chose to be', () => {
  const both = { spaces: ['office', 'portal'], isAdmin: true } as const
  const [users] = screens.filter(({ path }) => path === '/users')
  const [home] = screens.filter(({ path }) => path === '/client-portal')
  if (!users || !home) throw new Error('no such row')
  expect(getRedirectTarget(users, { ...both, space: 'portal' }, at('/users'))).toBe('/client-portal')
  expect(getRedirectTarget(home, { ...both, space: 'portal' }, at('/client-portal'))).toBeNull()
  expect(getRedirectTarget(home, { ...both, space: 'office' }, at('/client-portal'))).toBe('/dashboard')
})

describe.each(Object.entries(TEST_ACCESS_PROFILES))('as %s', (_, who) => {
  test('a row is refused exactly where one of its rights is missing, and sends nobody elsewhere', () => {
    for (const row of screens.filter(({ role }) => role === 'admin')) {
      const rights = [...(row.permission ? [row.permission] : []), ...(row.also ?? [])]
      const lacking = rights.filter((right) => who.space !== 'office' || !who.permissions.includes(right))
      expect(findMissingPermission(row, who), row.path).toBe(lacking[0])
      if (who.space === 'office') expect(getRedirectTarget(row, who, at(row.path)), row.path).toBeNull()
    }
  })
})

test('every screen of the back office asks for a right, but for what is everybody’s own', () => {
  const open = screens.filter(({ role, permission }) => role === 'admin' && !permission).map(({ path }) => path)
  expect(open).toEqual([
    '/settings/profile',
    '/support',
    '/dashboard/support',
    '/faq-autoconsommation',
    '/notifications',
    '/dashboard/notifications',
    '/logout-state-admin',
    '/logout-animation-demo',
  ])
  expect(screens.filter(({ role, permission }) => role !== 'admin' && permission)).toEqual([])
})

test('an administrator lacks nothing; where no site is kept, its desks alone', () => {
  expect(
    screens.filter((row) => findMissingPermission(row, { space: 'office', permissions: [...permissions] })),
  ).toEqual([])
  const without = TEST_ACCESS_PROFILES['an administrator without the site']
  if (!without) throw new Error('no such holder')
  const refused = screens.filter((row) => row.role === 'admin' && findMissingPermission(row, without))
  const desks = screens.filter(({ permission }) => permission && 'site' in PERMISSIONS[permission])
  expect(refused).toEqual(desks)
  expect(desks.length).toBeGreaterThan(0)
})

test('what was asked for comes back after signing in, where it is ours', () => {
  const [login] = screens.filter(({ signIn }) => signIn)
  const [users] = screens.filter(({ path }) => path === '/users')
  if (!login || !users) throw new Error('no such row')
  const asked = getRedirectTarget(users, PEOPLE.nobody, at('/users?q=martin'))
  expect(asked).toBe(`/login?redirect=${encodeURIComponent('/users?q=martin')}`)
  expect(getRedirectTarget(login, PEOPLE.office, at(asked ?? ''))).toBe('/users?q=martin')
  expect(getRedirectTarget(login, PEOPLE.office, at('/login?redirect=//ailleurs.exemple'))).toBe('/dashboard')
})

test('a link received by mail is followed whoever is signed in', () => {
  const row = { role: 'public', signIn: true } as const
  expect(getRedirectTarget(row, PEOPLE.office, at('/login?invitation=abc'))).toBeNull()
  expect(getRedirectTarget(row, PEOPLE.office, at('/login?reset=abc'))).toBeNull()
})
