import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import { operations } from '@voisol/contract/operations'
import { roles } from '@voisol/contract/roles'
import { addDays } from '@voisol/energy/calendar'
import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitForMails } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { events, notifications, apiKeys as table } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { recordExpiringApiKeys } from './rotate-api-key.ts'

const server = useServer({ TRUST_PROXY: '127.0.0.1' })
type Who = { token: string }
const NEW = { name: 'Tableur', permissions: ['operations.read'] }
const make = (who: Who, more: object = {}) => call(server, apiKeys.create, { body: { ...NEW, ...more } }, who)
const list = async (who: Who, query = {}): Promise<ApiKey[]> =>
  (await call(server, apiKeys.list, { query }, who)).body.items
const ask = (key: string, headers: Record<string, string> = {}) =>
  call(server, operations.list, {}, { token: key, headers })
const change = (who: Who, id: string, body: object) =>
  call(server, apiKeys.update, { params: { id }, body: { name: 'Tableur', ...body } }, who)
const rotate = (who: Who, id: string, overlapHours: number) =>
  call(server, apiKeys.rotate, { params: { id }, body: { overlapHours } }, who)

test('is accepted from its allowed networks only, and a refusal names the reason', async () => {
  const admin = await makeUser(server.db)
  const { key } = (await make(admin, { allowedNetworks: ['198.51.100.0/24', '2001:db8:7::1'] })).body
  const from = async (ip: string) => (await ask(key, { 'x-forwarded-for': ip })).status
  expect([await from('198.51.100.77'), await from('2001:db8:7::1')]).toEqual([200, 200])
  expect([await from('198.51.101.77'), await from('2001:db8:7::2')]).toEqual([403, 403])
  const { body } = await ask(key, { 'x-forwarded-for': '203.0.113.9' })
  expect(body).toMatchObject({ code: 'key-address', message: expect.stringContaining('ajoutez votre réseau') })
  const refused = await make(admin, { allowedNetworks: ['10.0.0.0/8', '300.1.2.3'] })
  expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'allowedNetworks.1'])
})

test('records when, from which address and for which call it was last used', async () => {
  const admin = await makeUser(server.db)
  const { key } = (await make(admin)).body
  await ask(key, { 'x-forwarded-for': '198.51.100.77' })
  expect((await list(admin))[0]).toMatchObject({ lastIp: '198.51.100.77', lastCall: 'GET /api/acc-operations' })
  // Within the same minute the row is not updated again: the recorded calls are more precise.
  await call(server, roles.list, {}, { token: key, headers: { 'x-forwarded-for': '198.51.100.79' } })
  await ask(key, { 'x-forwarded-for': '198.51.100.78' })
  await server.app.gateway.flush()
  expect((await list(admin))[0]).toMatchObject({ lastIp: '198.51.100.78', lastCall: 'GET /api/acc-operations' })
})

test('rotation keeps the old secret valid until the chosen end of the overlap', async () => {
  const admin = await makeUser(server.db)
  const old = (await make(admin, { allowedNetworks: ['127.0.0.1'], perSecond: 900 })).body
  const { status, body: fresh } = await rotate(admin, old.id, 24)
  expect([status, fresh.key === old.key]).toEqual([200, false])
  expect(fresh).toMatchObject({ replaces: old.id, allowedNetworks: ['127.0.0.1/32'], perSecond: 900, status: 'active' })
  expect([(await ask(old.key)).status, (await ask(fresh.key)).status]).toEqual([200, 200])
  expect((await list(admin)).map(({ status: state }) => state).sort()).toEqual(['active', 'retiring'])
  expect((await list(admin, { status: 'retiring' })).map(({ id }) => id)).toEqual([old.id])
  expect((await rotate(admin, old.id, 24)).body).toMatchObject({ code: 'conflict' })
  const one = and(eq(table.companyId, admin.companyId), eq(table.id, old.id))
  await server.db
    .update(table)
    .set({ retiresAt: new Date(Date.now() - 1) })
    .where(one)
  expect([(await ask(old.key)).body.code, (await ask(fresh.key)).status]).toEqual(['key-expired', 200])
  expect((await list(admin, { status: 'expired' })).map(({ id }) => id)).toEqual([old.id])
})

test('without overlap revokes the old secret at once; an expired key is neither rotated nor changed', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = (await make(admin)).body
  expect((await rotate(admin, id, 0)).status).toBe(200)
  expect((await ask(key)).body.code).toBe('key-expired')
  expect([(await rotate(admin, id, 1)).status, (await change(admin, id, { version: 2 })).status]).toEqual([409, 409])
})

test('only a user with all its permissions changes a key; of two concurrent changes one is refused', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const less = await makeUser(server.db, { companyId, permissions: ['api-keys.write', 'api-keys.read'] })
  const { id } = (await make(admin)).body
  expect([(await change(less, id, { version: 1 })).status, (await rotate(less, id, 1)).status]).toEqual([403, 403])
  const done = await change(admin, id, {
    name: 'Comptes',
    perMonth: 41_000,
    expiresOn: addDays(getToday(), 9),
    version: 1,
  })
  expect(done.body).toMatchObject({ name: 'Comptes', perMonth: 41_000, version: 2, permissions: ['operations.read'] })
  expect((await change(admin, id, { version: 1 })).status).toBe(409)
  expect((await change(admin, id, { version: 2, expiresOn: '2025-01-31' })).body.issues[0].path).toBe('expiresOn')
  expect((await call(server, apiKeys.revoke, { params: { id } }, less)).status).toBe(200)
})

test('an API key can neither change nor rotate a key', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = (await make(admin, { permissions: ['api-keys.write', 'operations.read'] })).body
  const token = { token: key }
  expect([(await rotate(token, id, 1)).status, (await change(token, id, { version: 1 })).status]).toEqual([403, 403])
})

test('a call with a revoked key is told that the key was revoked', async () => {
  const admin = await makeUser(server.db)
  const { id, key } = (await make(admin)).body
  await call(server, apiKeys.revoke, { params: { id } }, admin)
  expect((await ask(key)).body).toMatchObject({ status: 401, code: 'key-revoked' })
})

test('warns 30, 7 and 1 days before expiry, once each', async () => {
  const admin = await makeUser(server.db)
  const day = getToday()
  const end = addDays(day, 45)
  const { id } = (await make(admin, { expiresOn: end })).body
  await make(admin, { name: 'Sans fin' })
  const told = async () => {
    await waitForJobs(server)
    const mine = and(
      eq(notifications.companyId, admin.companyId),
      sql`${notifications.eventKey} like 'api-key-expiry%'`,
    )
    return (await server.db.select().from(notifications).where(mine)).length
  }
  const seen: number[] = []
  for (const left of [31, 30, 29, 8, 7, 6, 2, 1, 0]) {
    await recordExpiringApiKeys(server.deps, addDays(end, -left))
    await recordExpiringApiKeys(server.deps, addDays(end, -left))
    seen.push(await told())
  }
  expect(seen).toEqual([0, 1, 1, 1, 2, 2, 2, 3, 3])
  const heard = await server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, admin.companyId), eq(events.object, id)))
  expect(heard.map(({ name }) => name)).toEqual(['apikey.created', ...new Array(3).fill('apikey.expiry-approached')])
  const mails = await waitForMails(server, admin.email, 3)
  expect(mails.map(({ subject }) => subject)).toEqual(
    new Array(3).fill('La clé d’API «\u00a0Tableur\u00a0» se termine bientôt'),
  )
})
