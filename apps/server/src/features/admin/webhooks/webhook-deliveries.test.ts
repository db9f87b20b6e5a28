import { EVENTS } from '@voisol/contract/events'
import { webhooks as endpoints, WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { waitForLockWait } from '../../../../test/locks.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { notifications, webhookDeliveries } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { PostRequest, PostResponse } from '../../../integrations/post/post.ts'
import { sendWebhookDelivery } from './webhook-deliveries.ts'
import { addWebhookDelivery, signWebhookMessage } from './webhook-message.ts'

const server = useServer()
let sent: PostRequest[]
let answer: PostResponse
beforeEach(() => {
  sent = []
  answer = { status: 200, answer: 'merci' }
  server.deps.poster = {
    post: async (posting) => {
      sent.push(posting)
      return answer
    },
  }
})

async function setUpWebhook() {
  const owner = await makeUser(server.db)
  const body = { url: 'https://exemple.fr/crochet', events: ['operation.created'] }
  const made = (await call(server, endpoints.create, { body }, owner)).body
  const params = { id: made.id }
  const ask = async (e: (typeof endpoints)[keyof typeof endpoints], more: object = {}) =>
    call(server, e, { params, ...more }, owner)
  const tell = async () => {
    const data = { operationId: made.id, name: 'Les Toits', status: 'draft' } as const
    await recordEvent(server.db, { companyId: owner.companyId, name: 'operation.created', object: made.id, data })
    await waitForJobs(server)
  }
  const list = async (query: object = {}) => (await ask(endpoints.deliveries, { query })).body.items
  const hook = async () => (await call(server, endpoints.list, {}, owner)).body.items[0]
  return { owner, made, ask, tell, list, hook }
}

test('a delivery shows each attempt, the request and the response', async () => {
  const { ask, tell, list, hook, owner, made } = await setUpWebhook()
  answer = { status: 503, answer: 'plus tard' }
  await tell()
  const [{ id: deliveryId }] = await list()
  expect((await hook()).failingSince).not.toBeNull()
  answer = { status: 204, answer: '' }
  await ask(endpoints.move, { body: { status: 'paused' } })
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId })
  expect(sent).toHaveLength(1)
  await server.asOwner(`update webhooks set status = 'active' where id = $1`, [made.id])
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId })
  expect((await hook()).failingSince).toBeNull()
  const { body } = await ask(endpoints.delivery, { params: { id: made.id, deliveryId } })
  expect(body.delivery).toMatchObject({ id: deliveryId, status: 'delivered', attempts: 2 })
  expect(body.body).toBe(sent[0]?.body)
  expect(body.tries).toMatchObject([
    { status: 503, answer: 'plus tard', error: 'Le serveur a répondu 503.' },
    { status: 204, answer: '', error: '' },
  ])
})

test('rotating the secret signs with both secrets during the overlap', async () => {
  const { ask, tell, made, hook } = await setUpWebhook()
  const { secret, formerUntil } = (await ask(endpoints.rotate, { body: { overlapHours: 24 } })).body
  expect([secret === made.secret, formerUntil === null]).toEqual([false, false])
  await tell()
  const [{ headers, body }] = sent as [PostRequest] // one was sent
  const signed = (secrets: string[]) =>
    signWebhookMessage(secrets, headers['webhook-id'] ?? '', Number(headers['webhook-timestamp']), body)
  expect(headers['webhook-signature']).toBe(signed([secret, made.secret]))
  await server.db.execute(sql`update webhooks set former_until = now() - interval '1 second' where id = ${made.id}`)
  sent = []
  await tell()
  expect(sent[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  expect((await hook()).formerUntil).toBeNull()
})

test('events of a paused webhook wait and are sent when it resumes', async () => {
  const { ask, tell, list } = await setUpWebhook()
  expect((await ask(endpoints.move, { body: { status: 'paused' } })).body.status).toBe('paused')
  await tell()
  expect([sent.length, (await list())[0].status]).toEqual([0, 'waiting'])
  await ask(endpoints.move, { body: { status: 'active' } })
  await waitForJobs(server)
  expect([sent.length, (await list())[0].status]).toEqual([1, 'delivered'])
})

test('an event added while a webhook resumes is sent too; a paused webhook creates no job', async () => {
  const { ask, list, made, owner } = await setUpWebhook()
  await ask(endpoints.move, { body: { status: 'paused' } })
  const told = { event: 'operation.created', sequence: 1, occurredAt: new Date(), data: {} } as const
  let moved: Promise<unknown> | undefined
  await transaction(server.db, async (tx) => {
    await addWebhookDelivery(tx, owner.companyId, made.id, told)
    moved = ask(endpoints.move, { body: { status: 'active' } })
    await waitForLockWait(server)
    const jobs = sql`select 1 from jobs.job where name = 'webhooks.deliver' and data->>'companyId' = ${String(owner.companyId)}`
    expect((await tx.execute(jobs)).rows).toEqual([])
  })
  await moved
  await waitForJobs(server)
  expect([sent.length, (await list())[0].status]).toEqual([1, 'delivered'])
})

test('replays one delivery, those of a filter or all since a date under the same ids', async () => {
  const { ask, tell, list } = await setUpWebhook()
  await tell()
  await tell()
  const [last, first] = await list()
  const again = async (body: object) => {
    sent = []
    const { body: told } = await ask(endpoints.replay, { body })
    await waitForJobs(server)
    return [told.count, sent.map(({ headers }) => headers['webhook-id']).sort()]
  }
  expect(await again({ ids: [first.id] })).toEqual([1, [first.id]])
  expect(await again({ status: 'delivered' })).toEqual([2, [first.id, last.id].sort()])
  expect(await again({ status: 'failed' })).toEqual([0, []])
  expect(await again({ since: last.createdAt })).toEqual([1, [last.id]])
  expect((await ask(endpoints.replay, { body: {} })).status).toBe(422)
})

test('five days without success stop a webhook and notify its managers once', async () => {
  const { tell, hook, owner, made, ask } = await setUpWebhook()
  answer = { status: 500 }
  await tell()
  const since = (await hook()).failingSince
  expect([(await hook()).status, since === null]).toEqual(['active', false])
  await server.db.execute(
    sql`update webhooks set failing_since = now() - interval '4 days 23 hours' where id = ${made.id}`,
  )
  await tell()
  expect((await hook()).status).toBe('active')
  await server.db.execute(sql`update webhooks set failing_since = now() - interval '5 days' where id = ${made.id}`)
  await tell()
  expect(await hook()).toMatchObject({ status: 'disabled', stopped: 'failing' })
  await waitForJobs(server)
  const mine = and(eq(notifications.companyId, owner.companyId), sql`${notifications.eventKey} like 'webhook-stopped%'`)
  expect(await server.db.select().from(notifications).where(mine)).toMatchObject([
    { title: 'Le webhook vers exemple.fr a été arrêté', message: expect.stringContaining('cinq jours') },
  ])
  expect((await ask(endpoints.replay, { body: { status: 'failed' } })).status).toBe(409)
  answer = { status: 200 }
  expect((await ask(endpoints.move, { body: { status: 'active' } })).body).toMatchObject({
    stopped: null,
    failingSince: null,
  })
  await waitForJobs(server)
  const rows = await server.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.companyId, owner.companyId))
  expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('the catalogue lists every event with a schema and a sample', async () => {
  const { ask } = await setUpWebhook()
  const { items } = (await ask(endpoints.catalogue)).body
  expect(items.map(({ id }: { id: string }) => id)).toEqual(WEBHOOK_EVENTS)
  const issued = items.find(({ id }: { id: string }) => id === 'invoice.issued')
  expect(issued.label).toBe(EVENTS['invoice.issued'].label)
  expect(issued.sample.data).toEqual(EVENTS['invoice.issued'].sample)
  expect(issued.schema.properties.data.required).toContain('gross')
})

test('address and events can be changed under the same SSRF checks', async () => {
  const { ask } = await setUpWebhook()
  const change = (url: string) => ask(endpoints.update, { body: { url, events: ['invoice.issued', 'invoice.issued'] } })
  expect((await change('https://exemple.org/a')).body).toMatchObject({
    url: 'https://exemple.org/a',
    events: ['invoice.issued'],
  })
  expect((await change('https://10.0.0.1/')).status).toBe(422)
})
