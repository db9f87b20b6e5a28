import { connections } from '@voisol/contract/connections'
import { flows } from '@voisol/contract/flows'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { listJobStates, waitForJobs } from '../../../../test/jobs.ts'
import { startS3Simulator } from '../../../../test/s3.ts'
import { useServer } from '../../../../test/server.ts'
import { flowDeliveries } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { createOutboundClient } from '../../../integrations/post/outbound-client.ts'
import { shipDelivery } from './flow-deliveries.ts'

const server = useServer()
let store: Awaited<ReturnType<typeof startS3Simulator>>
beforeAll(async () => {
  store = await startS3Simulator()
  server.deps.outside = createOutboundClient({ inner: true })
})
afterAll(() => store.close())

type User = Awaited<ReturnType<typeof makeUser>>
const TASK = { id: '', signal: AbortSignal.timeout(600_000) }

async function makeRule(user: User, kind: 'connection' | 'job') {
  const prefix = `${user.companyId}/`
  const settings = {
    endpoint: store.settings.FILES_S3_ENDPOINT,
    bucket: 'voisol',
    keyId: 'cle',
    secret: 'secret',
    prefix,
  }
  const bucket = { kind: 's3', name: 'Dépôt', settings: { ...settings, region: 'eu-west-3' } }
  const made = await call(server, connections.create, { body: { ...bucket, shipments: ['data-operations'] } }, user)
  const { id } = made.body
  const body = {
    name: 'Vers le dépôt',
    event: 'operation.created',
    conditions: [],
    fields: [{ from: 'name', to: 'nom' }],
    destination: { kind, id },
    active: true,
  }
  const rule = (await call(server, flows.addRule, { body }, user)).body
  const move = (state: 'active' | 'paused') => call(server, connections.move, { params: { id }, body: { state } }, user)
  const arrived = () =>
    [...store.objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  const content = (name: string) => JSON.parse(store.objects.get(prefix + name)?.content.toString() ?? 'null')
  return { id, rule, move, arrived, content }
}
const recordOperationCreated = async ({ companyId }: User, name: string) => {
  const operationId = crypto.randomUUID()
  await recordEvent(server.db, {
    companyId,
    name: 'operation.created',
    object: operationId,
    data: { operationId, name, status: 'draft' },
  })
  await waitForJobs(server)
}
const listDeliveriesOf = ({ companyId }: User) =>
  server.db.select().from(flowDeliveries).where(eq(flowDeliveries.companyId, companyId)).orderBy(flowDeliveries.seq)
const listDeadOf = async (user: User) => (await call(server, flows.dead, {}, user)).body.items

test('sends each matching event once as a file over the connection, in the chosen shape', async () => {
  const user = await makeUser(server.db)
  const { rule, arrived, content } = await makeRule(user, 'connection')
  expect(rule.destinationLabel).toBe('Dépôt')
  await recordOperationCreated(user, 'Les Toits')
  const name = `0000000001-operation.created-${rule.id.slice(0, 8)}.json`
  expect(arrived()).toEqual([name])
  expect(content(name)).toMatchObject({
    event: 'operation.created',
    sequence: 1,
    rule: 'Vers le dépôt',
    data: { nom: 'Les Toits' },
  })
  store.objects.clear()
  const [row] = await listDeliveriesOf(user)
  await shipDelivery(server.deps, { companyId: user.companyId, deliveryId: row?.id ?? '' }, TASK)
  expect(arrived()).toEqual([])
})

test('an event for a connection on hold waits among the failed deliveries, and is sent by a replay', async () => {
  const user = await makeUser(server.db)
  const { move, arrived } = await makeRule(user, 'connection')
  await move('paused')
  const before = await listJobStates(server, 'flows.ship')
  await recordOperationCreated(user, 'Les Toits')
  expect(await listJobStates(server, 'flows.ship')).toEqual(before)
  const [letter] = await listDeadOf(user)
  expect(letter).toMatchObject({ kind: 'rule', cause: expect.stringContaining('en pause ou arrêtée') })
  await move('active')
  await call(server, flows.replay, { body: { items: [{ kind: 'rule', id: letter.id }] } }, user)
  await waitForJobs(server)
  expect([arrived().length, await listDeadOf(user)]).toEqual([1, []])
})

test('retries a temporary failure; a permanent refusal or the last failure is listed with its cause', async () => {
  const user = await makeUser(server.db)
  const { arrived } = await makeRule(user, 'connection')
  await recordOperationCreated(user, 'Les Toits')
  store.objects.clear()
  const [row] = await listDeliveriesOf(user)
  const asked = { companyId: user.companyId, deliveryId: row?.id ?? '' }
  await server.asOwner(`delete from connection_deliveries where company_id = ${user.companyId}`)
  store.faults.push(500)
  await expect(shipDelivery(server.deps, asked, TASK)).rejects.toThrow('a répondu 500')
  expect((await listDeliveriesOf(user))[0]?.status).toBe('sent')
  store.faults.push(500)
  await shipDelivery(server.deps, asked, { ...TASK, last: true })
  expect((await listDeadOf(user))[0].cause).toContain('a répondu 500')
  await call(server, flows.replay, { body: { items: [{ kind: 'rule', id: row?.id }] } }, user)
  await waitForJobs(server)
  expect(arrived()).toHaveLength(1)
  await server.asOwner(`delete from connection_deliveries where company_id = ${user.companyId}`)
  store.faults.push(403)
  await shipDelivery(server.deps, asked, TASK)
  expect((await listDeliveriesOf(user))[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('refuse cette clé'),
  })
})

test('a rule can start the run of a connection, which sends all its shipments', async () => {
  const user = await makeUser(server.db)
  await makeOperation(server.db, { companyId: user.companyId })
  const { id, arrived } = await makeRule(user, 'job')
  await recordOperationCreated(user, 'Les Toits')
  await waitForJobs(server)
  expect(arrived()).toEqual(['operations.parquet'])
  const { items } = (await call(server, connections.runs, { params: { id } }, user)).body
  expect(items).toMatchObject([{ state: 'done', askedBy: 'Règle «\u00a0Vers le dépôt\u00a0»' }])
})

test('refuses a destination that belongs to another company or cannot send files', async () => {
  const [user, other] = [await makeUser(server.db), await makeUser(server.db)]
  const { rule } = await makeRule(user, 'connection')
  const { name, event, conditions, fields, destination, active } = rule
  const body = { name, event, conditions, fields, destination, active }
  expect((await call(server, flows.addRule, { body }, other)).body.issues[0].path).toBe('destination')
  const feed = { kind: 'feed', name: 'Power BI', settings: { dataSets: 'operations' } }
  const made = (await call(server, connections.create, { body: feed }, user)).body
  const { destinations } = (await call(server, flows.kinds, {}, user)).body
  expect(destinations.some(({ id }: { id: string }) => id === made.id)).toBe(false)
})
