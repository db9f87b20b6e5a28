import { endpoints } from '@voisol/contract'
import { permissions } from '@voisol/contract/permissions'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { companies, users } from '../src/db/schema/index.ts'
import { formatEndpoint } from './access-bodies.ts'
import { call } from './client.ts'
import { makeApiKey, makeSiteAdmin, makeUser } from './factories.ts'
import { useServer } from './server.ts'

const server = useServer()

/** Calls allowed to a person who must first secure their account: to be told, to do it, and to switch company. */
const ALLOWED_ANYWAY = [
  'GET /api/auth/me',
  'POST /api/auth/company',
  'POST /api/auth/passkeys',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/password',
  'POST /api/auth/second-factor',
  'POST /api/auth/second-factor/enable',
  'POST /api/auth/space',
  'POST /api/auth/verification',
]

test('endpoints allowed before the account is secured are exactly this list', () => {
  const anyway = endpoints.filter((e) => e.anyway).map(formatEndpoint)
  expect(anyway.sort()).toEqual(ALLOWED_ANYWAY)
})

const guardedEndpoints = endpoints.filter((e) => e.access !== 'public' && !ALLOWED_ANYWAY.includes(formatEndpoint(e)))

describe.each([
  ['second-factor-due', true],
  ['password-due', false],
])('%s: an administrator gets no other answer', (code, required) => {
  test(`${guardedEndpoints.length} endpoints`, async () => {
    const admin = await makeSiteAdmin(server.db)
    if (required)
      await server.db.update(companies).set({ secondFactor: 'office' }).where(eq(companies.id, admin.companyId))
    else await server.db.update(users).set({ passwordLong: false }).where(eq(users.id, admin.id))
    const open: string[] = []
    for (const e of guardedEndpoints) {
      // The refusal comes before any id in the path is looked up.
      const params = Object.fromEntries(Object.keys(e.params?.shape ?? {}).map((key) => [key, '1']))
      const { status, body } = await call(server, e, { params, body: e.body ? {} : undefined }, admin)
      // Endpoints of the portal alone are refused for that reason first.
      const refused = status === 403 && [code, 'forbidden'].includes(body.code)
      if (!refused || (body.code === 'forbidden' && JSON.stringify(e.access).includes('permission')))
        open.push(formatEndpoint(e))
    }
    expect(open).toEqual([])
    await server.db.update(companies).set({ secondFactor: 'optional' })
  })
})

test('an API key of such a person goes on working', async () => {
  const admin = await makeUser(server.db)
  const key = await makeApiKey(server.db, admin, { permissions: [...permissions] })
  await server.db.update(companies).set({ secondFactor: 'everyone' }).where(eq(companies.id, admin.companyId))
  const list = endpoints.find((e) => formatEndpoint(e) === 'GET /api/users')
  if (!list) throw new Error('no list of users')
  expect((await call(server, list, {}, admin)).body.code).toBe('second-factor-due')
  expect((await call(server, list, {}, { token: key })).status).toBe(200)
})
