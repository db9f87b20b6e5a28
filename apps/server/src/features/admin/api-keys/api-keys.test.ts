import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import { auth } from '@voisol/contract/auth'
import { companies } from '@voisol/contract/companies'
import { operations } from '@voisol/contract/operations'
import { roles } from '@voisol/contract/roles'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries, memberships, apiKeys as table } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
type Person = Awaited<ReturnType<typeof makeUser>>
const make = async (who: { token: string }, more: object = {}) =>
  call(
    server,
    apiKeys.create,
    { body: { name: 'Tableur', permissions: ['operations.read', 'operations.write'], ...more } },
    who,
  )
const list = async (who: Person): Promise<ApiKey[]> => (await call(server, apiKeys.list, {}, who)).body.items
const may = async (key: string) => (await call(server, operations.list, {}, { token: key })).status

test('shows a new key once, stores its hash, accepts it within its scope and records its last use', async () => {
  const admin = await makeUser(server.db)
  const { body } = await make(admin)
  expect(body.key).toMatch(new RegExp(`^vsl_${admin.companyId}_[\\w-]{43}[0-9a-f]{8}$`))
  expect(body.key.startsWith(body.prefix)).toBe(true)
  const { rows } = await server.deps.db.$client.query('select api_keys::text as row from api_keys')
  expect(JSON.stringify(rows)).not.toContain(body.key.slice(-40, -10))
  expect(await list(admin)).toMatchObject([{ name: 'Tableur', status: 'active', lastUsedAt: null }])
  expect(await may(body.key)).toBe(200)
  expect((await call(server, roles.list, {}, { token: body.key })).status).toBe(403)
  expect((await list(admin))[0]?.lastUsedAt).not.toBeNull()
})

test('has no profile and cannot create keys, and the audit log names the key', async () => {
  const admin = await makeUser(server.db)
  const { body } = await make(admin, { permissions: ['operations.create', 'api-keys.write'] })
  const token = body.key
  expect((await call(server, auth.me, {}, { token })).status).toBe(403)
  expect((await make({ token }, { permissions: ['operations.create'] })).status).toBe(403)
  const made = await call(server, operations.create, { body: { name: 'Par la clé' } }, { token })
  expect(made.status).toBe(200)
  const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
  expect(entries.at(-1)).toMatchObject({ actor: 'clé d’API «\u00a0Tableur\u00a0»', userId: admin.id })
})

test('refuses a mistyped key, a key with another company’s number, and an expired or revoked key', async () => {
  const admin = await makeUser(server.db)
  const { key, id } = (await make(admin)).body
  const other = await makeUser(server.db)
  expect(await may(key.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')))).toBe(401)
  expect(await may(key.replace(`vsl_${admin.companyId}_`, `vsl_${other.companyId}_`))).toBe(401)
  expect(await may('vsl_99999999999_x')).toBe(401)
  const change = (values: Partial<typeof table.$inferInsert>) =>
    server.db
      .update(table)
      .set(values)
      .where(and(eq(table.companyId, admin.companyId), eq(table.id, id)))
  await change({ expiresOn: getToday() })
  expect(await may(key)).toBe(200)
  await change({ expiresOn: '2025-12-31' })
  expect([await may(key), (await list(admin))[0]?.status]).toEqual([401, 'expired'])
  await change({ expiresOn: null })
  expect((await call(server, apiKeys.revoke, { params: { id } }, other)).status).toBe(404)
  expect(await may(key)).toBe(200)
  expect((await call(server, apiKeys.revoke, { params: { id } }, admin)).body).toEqual({ success: true })
  expect([await may(key), (await list(admin))[0]?.status]).toEqual([401, 'revoked'])
})

test('reads only its own company, even when its creator administers others', async () => {
  const admin = await makeUser(server.db)
  const second = await makeUser(server.db)
  const elsewhere = { companyId: second.companyId, userId: admin.id, role: 'admin', acceptedAt: new Date() }
  await server.db.insert(memberships).values(elsewhere)
  const { key } = (await make(admin, { permissions: ['companies.read'] })).body
  const read = async (companyId: number, token: string) =>
    (await call(server, companies.get, { params: { companyId } }, { token })).status
  expect([await read(second.companyId, admin.token), await read(admin.companyId, key)]).toEqual([200, 200])
  expect(await read(second.companyId, key)).toBe(404)
})

test('has a subset of its creator’s permissions, and loses those that its creator loses', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const maker = await makeUser(server.db, { companyId, permissions: ['api-keys.write', 'operations.read'] })
  expect((await make(maker)).status).toBe(403)
  const { key } = (await make(maker, { permissions: ['operations.read'] })).body
  expect(await may(key)).toBe(200)
  const state = (values: object) =>
    server.db
      .update(memberships)
      .set(values)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, maker.id)))
  await state({ disabledAt: new Date() })
  expect(await may(key)).toBe(401)
  await state({ disabledAt: null, role: 'client', roleId: null })
  expect(await may(key)).toBe(401)
})

test('can be limited to operations that its creator can read', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const [one, two] = [await makeOperation(server.db, { companyId }), await makeOperation(server.db, { companyId })]
  const { key } = (await make(admin, { permissions: ['operations.read'], operationIds: [one.id] })).body
  const seen = async (token: string) =>
    (await call(server, operations.list, {}, { token })).body.items.map(({ id }: { id: string }) => id)
  expect(await seen(key)).toEqual([one.id])
  await server.db
    .update(memberships)
    .set({ operationIds: [two.id] })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, admin.id)))
  expect(await seen(key)).toEqual([])
  const foreign = await makeOperation(server.db, { companyId: (await makeUser(server.db)).companyId })
  const boss = await makeUser(server.db, { companyId })
  const refused = await make(boss, { operationIds: [foreign.id], permissions: ['operations.read'] })
  expect(refused.body.issues).toMatchObject([{ path: 'operationIds' }])
  expect((await make(boss, { expiresOn: '2025-12-31' })).body.issues).toMatchObject([{ path: 'expiresOn' }])
})
