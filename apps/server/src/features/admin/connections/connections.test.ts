import { connections as endpoints } from '@voisol/contract/connections'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { startS3Simulator } from '../../../../test/s3.ts'
import { useServer } from '../../../../test/server.ts'
import { RETRY_DELAYS_MINUTES } from '../../../core/connection-runs.ts'
import { auditEntries, connections, notifications } from '../../../db/schema/index.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { getNextConnectionRun } from './connection-settings.ts'
import { runConnection } from './run-connection.ts'

const server = useServer()
let store: Awaited<ReturnType<typeof startS3Simulator>>
beforeAll(async () => {
  store = await startS3Simulator(SECRET)
  server.deps.outside = createOutboundClient({ inner: true })
})
afterAll(() => store.close())

type Owner = Awaited<ReturnType<typeof makeUser>>
const SECRET = 'secret-du-depot-4711'
const settings = (more: object = {}) => ({
  endpoint: store.settings.FILES_S3_ENDPOINT,
  region: 'eu-west-3',
  bucket: 'voisol',
  keyId: 'cle',
  secret: SECRET,
  ...more,
})
const bucket = (owner: Owner, more: object = {}) => {
  const body = { kind: 's3', name: 'Dépôt', settings: settings(), shipments: ['data-operations'], ...more }
  return call(server, endpoints.create, { body }, owner)
}
const listOwnConnections = async (owner: Owner) => (await call(server, endpoints.list, {}, owner)).body.items
const run = (owner: Owner, id: string) =>
  runConnection(server.deps, { companyId: owner.companyId, id, askedBy: 'essai' })

test('saves a connection once its test passed, and never returns or logs its secrets', async () => {
  const owner = await makeUser(server.db)
  const { status, body, text } = await bucket(owner)
  expect(status).toBe(200)
  expect(body).toMatchObject({ state: 'active', trouble: '', held: ['secret'], settings: { keyId: 'cle' } })
  const [row] = await server.db.select().from(connections).where(eq(connections.id, body.id))
  const journal = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, owner.companyId))
  for (const told of [
    text,
    JSON.stringify(await listOwnConnections(owner)),
    JSON.stringify(row),
    JSON.stringify(journal),
  ])
    expect(told).not.toContain(SECRET)
})

test('refuses to save after a failed test, unless the connection is saved on hold with the error', async () => {
  const owner = await makeUser(server.db)
  store.faults.push(403)
  expect((await bucket(owner)).body).toMatchObject({
    code: 'trial-failed',
    message: expect.stringContaining('refuse cette clé'),
  })
  expect(await listOwnConnections(owner)).toEqual([])
  store.faults.push(403)
  const { body } = await bucket(owner, { anyway: true })
  expect(body).toMatchObject({ state: 'paused', trouble: expect.stringContaining('refuse cette clé') })
  const started = await call(server, endpoints.start, { params: { id: body.id } }, owner)
  expect(started.body.message).toContain('en pause')
})

test('a run sends new files once and logs each step, for its own company only', async () => {
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
  await makeOperation(server.db, { companyId: owner.companyId, name: 'Les Toits' })
  const { id } = (await bucket(owner, { settings: settings({ prefix: 'une/' }) })).body
  await run(owner, id)
  expect([...store.objects.keys()]).toContain('une/operations.parquet')
  store.objects.clear()
  await run(owner, id)
  expect([...store.objects.keys()]).toEqual([])
  const { body } = await call(server, endpoints.runs, { params: { id } }, owner)
  expect(body.items).toMatchObject([
    { state: 'done', files: 0 },
    { state: 'done', files: 1 },
  ])
  const params = { id, runId: body.items[1].id }
  const log = (await call(server, endpoints.run, { params }, owner)).body
  expect(log.steps).toMatchObject([{ text: 'operations.parquet envoyé.', bytes: log.run.bytes }])
  for (const e of [endpoints.runs, endpoints.run, endpoints.start, endpoints.remove])
    expect((await call(server, e, { params }, other)).status).toBe(404)
})

test('retries a failed run with growing delays, then stops the connection and notifies its managers', async () => {
  const owner = await makeUser(server.db)
  const { id } = (await bucket(owner)).body
  for (let failed = 1; failed <= RETRY_DELAYS_MINUTES.length + 1; failed++) {
    store.faults.push(500)
    await run(owner, id)
    const [one] = await listOwnConnections(owner)
    expect(one).toMatchObject({
      state: failed <= RETRY_DELAYS_MINUTES.length ? 'active' : 'stopped',
      lastRun: { state: 'failed' },
    })
    expect(one.trouble).toContain('a répondu 500')
    expect(one.nextRunAt === null).toBe(failed > RETRY_DELAYS_MINUTES.length)
  }
  await waitForJobs(server)
  const told = await server.db
    .select()
    .from(notifications)
    .where(and(eq(notifications.companyId, owner.companyId), eq(notifications.userId, owner.id)))
  expect(told.map(({ title }) => title)).toEqual(['La connexion «\u00a0Dépôt\u00a0» a été arrêtée'])
  const back = await call(server, endpoints.move, { params: { id }, body: { state: 'active' } }, owner)
  expect(back.body).toMatchObject({ state: 'active', trouble: '' })
})

test('stops at once when retrying cannot help or when its owner lost the permission', async () => {
  const owner = await makeUser(server.db)
  const { id } = (await bucket(owner)).body
  store.faults.push(403)
  await run(owner, id)
  expect((await listOwnConnections(owner))[0]).toMatchObject({ state: 'stopped', nextRunAt: null })
  await call(server, endpoints.move, { params: { id }, body: { state: 'active' } }, owner)
  const heir = await makeUser(server.db, { companyId: owner.companyId })
  await server.db.execute(`update memberships set disabled_at = now() where user_id = '${owner.id}'`)
  await run(owner, id)
  expect((await listOwnConnections(heir))[0]).toMatchObject({
    state: 'stopped',
    trouble: expect.stringContaining('n’en a plus le droit'),
  })
})

test('sends nothing when its owner may read the data but no longer manage connections', async () => {
  const owner = await makeUser(server.db)
  const { id } = (await bucket(owner)).body
  const heir = await makeUser(server.db, { companyId: owner.companyId })
  await server.db.execute(`update memberships set role = 'reader' where user_id = '${owner.id}'`)
  store.objects.clear()
  await run(owner, id)
  expect((await listOwnConnections(heir))[0]).toMatchObject({
    state: 'stopped',
    lastRun: { state: 'failed', files: 0 },
  })
  expect([...store.objects.keys()]).toEqual([])
})

test('does not send a stored secret to a changed host', async () => {
  const owner = await makeUser(server.db)
  const { id, version } = (await bucket(owner)).body
  const change = (more: object) => {
    const body = { name: 'Dépôt', settings: settings({ secret: '', ...more }), version }
    return call(server, endpoints.update, { params: { id }, body }, owner)
  }
  const moved = await change({ endpoint: 'http://127.0.0.1:1' })
  expect(moved.body.issues).toMatchObject([{ path: 'settings.secret' }])
  expect((await change({ prefix: 'autre/' })).body).toMatchObject({ settings: { prefix: 'autre/' }, held: ['secret'] })
})

test('refuses to send data that the user cannot read, and a feed token reads its data sets only', async () => {
  const owner = await makeUser(server.db)
  expect((await bucket(owner, { shipments: ['installation-copy'] })).body.issues[0].path).toBe('shipments')
  const body = { kind: 'feed', name: 'Power BI', settings: { dataSets: 'operations' } }
  const { token, id } = (await call(server, endpoints.create, { body }, owner)).body
  const read = (path: string) => server.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
  expect((await read('/api/feed/operations?format=json')).statusCode).toBe(200)
  expect((await read('/api/feed/invoices?month=2026-05')).statusCode).toBe(403)
  expect(JSON.stringify(await listOwnConnections(owner))).not.toContain(token)
  await call(server, endpoints.remove, { params: { id } }, owner)
  expect((await read('/api/feed/operations?format=json')).statusCode).toBe(401)
})

test('computes the next run in Paris time, across the change of clocks', () => {
  const id = '001e0000-0000-4000-8000-000000000000'
  const at = (schedule: Parameters<typeof getNextConnectionRun>[0], now: string) =>
    getNextConnectionRun(schedule, id, new Date(now))?.toISOString()
  expect(at('none', '2026-03-28T12:00:00Z')).toBeUndefined()
  expect(at('night', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
  expect(at('night', '2026-03-29T01:30:00Z')).toBe('2026-03-30T01:30:00.000Z')
  expect(at('week', '2026-11-17T12:00:00Z')).toBe('2026-11-23T02:30:00.000Z')
  expect(at('month', '2026-11-17T12:00:00Z')).toBe('2026-12-01T02:30:00.000Z')
  expect(at('six-hours', '2026-11-17T12:10:00Z')).toBe('2026-11-17T18:30:00.000Z')
})
