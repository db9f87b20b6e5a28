import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@voisol/contract/operations'
import { webhooks } from '@voisol/contract/webhooks'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { recordEvent } from '../../../events/events.ts'
import { createPoster } from '../../../integrations/post/post.ts'
import { RETRY_DELAYS_SECONDS, sendWebhookDelivery } from './webhook-deliveries.ts'
import { signWebhookMessage } from './webhook-message.ts'

const server = useServer()
type Received = { body: string; headers: IncomingMessage['headers'] }
let received: Received[] = []
let status = 200
const receiver = createServer((request: IncomingMessage, response: ServerResponse) => {
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    received.push({ body, headers: request.headers })
    response.writeHead(status).end()
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  server.deps.poster = createPoster({ inner: true })
})
afterAll(() => receiver.close())
beforeEach(() => {
  received = []
  status = 200
})

const EVENTS = ['operation.created' as const]
type Owner = Awaited<ReturnType<typeof makeUser>>
const create = (owner: Owner, body: Record<string, unknown> = {}) =>
  call(server, webhooks.create, { body: { url: 'https://exemple.fr/crochet', events: EVENTS, ...body } }, owner)

/** Creates a webhook that points to the test server of this file. */
async function listening(owner: Owner) {
  const { body } = await create(owner)
  const { port } = receiver.address() as AddressInfo // it listens
  await server.db.execute(sql`update webhooks set url = ${`http://127.0.0.1:${port}/`} where id = ${body.id}`)
  return body
}
const deliveries = async (owner: Owner, id: string) =>
  (await call(server, webhooks.deliveries, { params: { id } }, owner)).body.items

test('shows a new secret once and stores it encrypted', async () => {
  const owner = await makeUser(server.db)
  const { status: answered, body } = await create(owner)
  expect(answered).toBe(200)
  expect(body).toMatchObject({ url: 'https://exemple.fr/crochet', events: EVENTS, status: 'active' })
  expect(body.secret.length).toBeGreaterThan(30)
  const { text } = await call(server, webhooks.list, {}, owner)
  expect(text).not.toContain(body.secret)
  const { rows } = await server.db.execute(sql`select secret from webhooks where id = ${body.id}`)
  expect(String(rows[0]?.secret)).not.toContain(body.secret)
})

test.each([
  'http://exemple.fr',
  'https://127.0.0.1',
  'https://localhost',
  'https://10.0.0.1',
  'https://[::1]',
  'ftp://a.fr',
  'https://moi:secret@exemple.fr/crochet',
  'https://moi@exemple.fr/crochet',
  'https://:secret@exemple.fr/crochet',
  'https://exemple.fr%40@autre.fr/crochet',
])('refuses to save %s', async (url) => {
  const { status: answered, body } = await create(await makeUser(server.db), { url })
  expect(answered).toBe(422)
  expect(body.issues[0].path).toBe('url')
})

test('sends a signed message once for a subscribed event', async () => {
  const owner = await makeUser(server.db)
  const { id, secret } = await listening(owner)
  const made = await call(
    server,
    operations.create,
    { body: { name: 'Les Toits', address: '1 rue du Soleil', capacity: 36, participants: [] } },
    owner,
  )
  await waitUntil(() => received.length > 0)
  const [{ body, headers }] = received as [Received]
  expect(JSON.parse(body)).toMatchObject({ event: 'operation.created', data: { operationId: made.body.id } })
  const id1 = String(headers['webhook-id'])
  expect(JSON.parse(body)).toMatchObject({ id: id1, sequence: 1 })
  const seconds = Number(headers['webhook-timestamp'])
  expect(headers['webhook-signature']).toBe(signWebhookMessage([secret], id1, seconds, body))
  const [delivery] = await waitUntil(async () => {
    const items = await deliveries(owner, id)
    return items[0]?.status === 'delivered' && items
  })
  expect(delivery).toMatchObject({ attempts: 1, lastStatus: 200, sequence: 1 })
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId: delivery.id })
  expect(received).toHaveLength(1)
})

test('retries a failure later, and gives up after the last attempt', async () => {
  const owner = await makeUser(server.db)
  status = 500
  const { id } = await listening(owner)
  await call(server, webhooks.test, { params: { id } }, owner)
  const [first] = await waitUntil(async () => {
    const items = await deliveries(owner, id)
    return items[0]?.attempts === 1 && items
  })
  expect(first).toMatchObject({
    sequence: null,
    status: 'waiting',
    lastStatus: 500,
    lastError: 'Le serveur a répondu 500.',
  })
  await server.db.execute(
    sql`update webhook_deliveries set attempts = ${RETRY_DELAYS_SECONDS.length} where id = ${first.id}`,
  )
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId: first.id })
  expect((await deliveries(owner, id))[0]).toMatchObject({
    status: 'failed',
    attempts: RETRY_DELAYS_SECONDS.length + 1,
  })
})

test('a 410 answer stops the webhook', async () => {
  const owner = await makeUser(server.db)
  status = 410
  const { id } = await listening(owner)
  await call(server, webhooks.test, { params: { id } }, owner)
  await waitUntil(async () => (await deliveries(owner, id))[0]?.status === 'failed')
  expect((await call(server, webhooks.list, {}, owner)).body.items[0].status).toBe('disabled')
})

test('a retry has the same id, number, instant and data; the next event has the next number', async () => {
  const owner = await makeUser(server.db)
  status = 500
  const { id } = await listening(owner)
  const tell = (name: string) =>
    recordEvent(server.db, {
      companyId: owner.companyId,
      name: 'operation.created',
      object: id,
      data: { operationId: id, name, status: 'draft' },
    })
  await tell('Les Toits')
  await waitUntil(async () => (await deliveries(owner, id))[0]?.attempts === 1)
  status = 200
  const [{ id: deliveryId }] = await deliveries(owner, id)
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId })
  await tell('Les Berges')
  await waitUntil(() => received.length === 3)
  const [first, again, next] = received.map(({ body }) => JSON.parse(body))
  expect(again).toEqual(first)
  expect([first.id, first.sequence, next.sequence]).toEqual([deliveryId, 1, 2])
  expect(next.id).not.toBe(deliveryId)
})

test('webhooks without the subscription or of another company get nothing', async () => {
  const [owner, other] = [await makeUser(server.db), await makeUser(server.db)]
  const { id } = await listening(other)
  const { body: deaf } = await create(owner, { events: ['participant.created'] })
  const data = { operationId: id, name: 'Les Toits', status: 'draft' } as const
  await recordEvent(server.db, { companyId: owner.companyId, name: 'operation.created', object: id, data })
  await waitForJobs(server)
  expect([await deliveries(other, id), await deliveries(owner, deaf.id)]).toEqual([[], []])
})
