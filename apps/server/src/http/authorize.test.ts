import type { Access } from '@voisol/contract/access'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { ensureSiteOwner, makeCompany, makeSession, makeSiteAdmin, makeUser } from '../../test/factories.ts'
import { useServer } from '../../test/server.ts'
import { memberships, sessions } from '../db/schema/index.ts'
import { sha256 } from '../secrets.ts'
import { authorizeRequest, requireSameOrigin } from './authorize.ts'
import { AppError } from './errors.ts'
import { authenticateSession } from './session.ts'

const server = useServer()
const outcome = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'allowed'
}
/** The parts of a request that are used. */
const buildRequest = (headers: Record<string, string>, more: object = {}) =>
  ({ method: 'POST', host: 'voisol.fr', cookies: {}, ...more, headers }) as unknown as FastifyRequest
const ask = (token: string, access: Access) =>
  outcome(() => authorizeRequest(server.db, buildRequest({ authorization: `Bearer ${token}` }), access))

describe('access', () => {
  test('follows the endpoint, for every kind of person', async () => {
    const site = await makeSiteAdmin(server.db)
    const people = {
      site: site.token,
      siteClient: (await makeUser(server.db, { companyId: await ensureSiteOwner(server.db), isAdmin: false })).token,
      admin: (await makeUser(server.db)).token,
      client: (await makeUser(server.db, { isAdmin: false })).token,
    }
    const allowed = async (access: Access) => {
      const asked = Object.entries(people).map(async ([name, token]) => [name, await ask(token, access)])
      return (await Promise.all(asked)).filter(([, answer]) => answer === 'allowed').map(([name]) => name)
    }
    expect(await allowed('signed-in')).toEqual(['site', 'siteClient', 'admin', 'client'])
    expect(await allowed({ permission: 'operations.read' })).toEqual(['site', 'admin'])
    expect(await allowed({ portal: true })).toEqual(['siteClient', 'client'])
    expect(await allowed({ permission: 'energy.read', portal: true })).toEqual(Object.keys(people))
    expect(await allowed({ permission: 'content.read' })).toEqual(['site'])
    expect(await ask('x'.repeat(43), 'signed-in')).toBe('unauthenticated')
  })
})

describe('a session', () => {
  const change = (token: string, values: Partial<Record<'createdAt' | 'lastSeenAt' | 'tokenExpiresAt', SQL>>) =>
    server.db
      .update(sessions)
      .set(values)
      .where(eq(sessions.tokenHash, sha256(token)))

  test('expires after 24 hours of inactivity', async () => {
    const { token } = await makeUser(server.db)
    await change(token, { lastSeenAt: sql`now() - interval '23 hours 59 minutes'` })
    expect(await ask(token, 'signed-in')).toBe('allowed')
    await change(token, { lastSeenAt: sql`now() - interval '24 hours 1 minute'` })
    expect(await ask(token, 'signed-in')).toBe('session-expired')
  })

  test('opened by the token of a sign-in expires an hour after it, however recently it was used', async () => {
    const { token } = await makeUser(server.db)
    await change(token, { createdAt: sql`now() - interval '59 minutes'`, lastSeenAt: sql`now()` })
    expect(await ask(token, 'signed-in')).toBe('allowed')
    await change(token, { createdAt: sql`now() - interval '1 hour 1 second'`, lastSeenAt: sql`now()` })
    expect(await ask(token, 'signed-in')).toBe('session-expired')
  })

  test('opened by a renewed token expires with it', async () => {
    const { token } = await makeUser(server.db)
    await change(token, { tokenExpiresAt: sql`now() + interval '1 minute'` })
    expect(await ask(token, 'signed-in')).toBe('allowed')
    await change(token, { tokenExpiresAt: sql`now() - interval '1 second'` })
    expect(await ask(token, 'signed-in')).toBe('session-expired')
  })

  test.each([
    ['disabled', { disabledAt: new Date() }],
    ['not accepted', { acceptedAt: null }],
  ])('of a membership that is %s is refused, and its company is not listed', async (_, state) => {
    const { id, companyId, token } = await makeUser(server.db)
    const second = await makeCompany(server.db)
    const row = { companyId: second.id, userId: id, role: 'admin', acceptedAt: new Date() }
    await server.db.insert(memberships).values(row)
    const there = await makeSession(server.db, id, second.id)
    const offered = async () =>
      (await authenticateSession(server.db, token)).user.companies.map((company) => company.id).sort()
    expect([await ask(there, { permission: 'users.read' }), await offered()]).toEqual([
      'allowed',
      [companyId, second.id].sort(),
    ])
    const own = and(eq(memberships.companyId, second.id), eq(memberships.userId, id))
    await server.db.update(memberships).set(state).where(own)
    expect([await ask(there, { permission: 'users.read' }), await offered()]).toEqual(['unauthenticated', [companyId]])
  })
})

describe('a call from another site', () => {
  const from = (headers: Record<string, string>, more: object = {}) =>
    outcome(() => requireSameOrigin(buildRequest(headers, more), 'https://app.voisol.fr'))
  const cookies = { token: 'x'.repeat(43) }

  test.each([
    ['https://voisol.fr', 'allowed'],
    ['https://app.voisol.fr', 'allowed'],
    ['https://voisol.fr.evil.fr', 'foreign-origin'],
    ['https://evil.fr', 'foreign-origin'],
    ['null', 'foreign-origin'],
  ])('with the origin %s is %s', async (origin, expected) => {
    expect(await from({ origin })).toBe(expected)
    expect(await from({ origin }, { method: 'GET' })).toBe('allowed')
  })

  test('without an origin is refused when a cookie would authenticate it', async () => {
    expect(await from({ 'sec-fetch-site': 'cross-site' }, { cookies })).toBe('foreign-origin')
    expect(await from({ 'sec-fetch-site': 'same-origin' }, { cookies })).toBe('allowed')
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe('allowed')
  })
})
