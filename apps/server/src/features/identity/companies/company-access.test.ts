import { companies as endpoints } from '@voisol/contract/companies'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, companies, memberships } from '../../../db/schema/index.ts'

const server = useServer()
const form = { name: 'Toits', legalName: '', siren: '', address: '', email: '', phone: '', version: 1 }

/** An administrator of one company with a second membership. */
async function makeSecondMembership(membership: Partial<typeof memberships.$inferInsert>) {
  const { token, id: userId } = await makeUser(server.db)
  const second = await makeCompany(server.db)
  const state = { role: 'admin', acceptedAt: new Date() }
  await server.db.insert(memberships).values({ companyId: second.id, userId, ...state, ...membership })
  const params = { companyId: second.id }
  const ask = async () => [
    (await call(server, endpoints.get, { params }, { token })).status,
    (await call(server, endpoints.update, { params, body: form }, { token })).status,
  ]
  return { ask, second, userId }
}

test.each([
  ['disabled there', { disabledAt: new Date() }],
  ['who has not accepted yet', { acceptedAt: null }],
  ['who is a client there', { role: 'client' }],
])('a company is not found by an administrator %s', async (_, membership) => {
  const { ask, second } = await makeSecondMembership(membership)
  expect(await ask()).toEqual([404, 404])
  expect(await server.db.select().from(companies).where(eq(companies.id, second.id))).toEqual([second])
  expect(await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, second.id))).toEqual([])
})

test('a disabled administrator who is enabled again finds the company at the next call', async () => {
  const { ask, second, userId } = await makeSecondMembership({ disabledAt: new Date() })
  expect(await ask()).toEqual([404, 404])
  const own = and(eq(memberships.companyId, second.id), eq(memberships.userId, userId))
  await server.db.update(memberships).set({ disabledAt: null }).where(own)
  expect(await ask()).toEqual([200, 200])
})

test('a company administered by somebody else is not found', async () => {
  const [here, there] = [await makeUser(server.db), await makeUser(server.db)]
  const params = { companyId: there.companyId }
  const { token } = here
  expect((await call(server, endpoints.get, { params }, { token })).status).toBe(404)
  expect((await call(server, endpoints.update, { params, body: form }, { token })).status).toBe(404)
})
