import { createHmac } from 'node:crypto'
import { webhooks as endpoints } from '@voisol/contract/webhooks'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { webhookDeliveries, webhooks } from '../../../db/schema/index.ts'
import { createPoster, type PostRequest, RefusedAddressError } from '../../../integrations/post/post.ts'
import { sendWebhookDelivery } from './webhook-deliveries.ts'

const server = useServer()
let sent: PostRequest[]
let answer: () => { status: number }
beforeEach(() => {
  sent = []
  answer = () => ({ status: 200 })
  server.deps.poster = {
    post: async (posting) => {
      sent.push(posting)
      return answer()
    },
  }
})

async function webhook() {
  const owner = await makeUser(server.db)
  const body = { url: 'https://exemple.fr/crochet', events: ['operation.created'] }
  const create = () => call(server, endpoints.create, { body }, owner)
  return { owner, create, made: (await create()).body }
}

/** Creates a waiting delivery without a job, attempts it once and returns the result; `url` stands in the stored webhook. */
async function attempt(attempts = 0, url?: string) {
  const { owner, made } = await webhook()
  if (url) await server.db.update(webhooks).set({ url }).where(eq(webhooks.id, made.id))
  const row = {
    companyId: owner.companyId,
    webhookId: made.id,
    event: 'operation.created',
    payload: { data: { n: 17 } },
  }
  const [delivery] = await server.db
    .insert(webhookDeliveries)
    .values({ ...row, status: 'waiting', attempts })
    .returning()
  const id = delivery?.id ?? ''
  await sendWebhookDelivery(server.deps, { companyId: owner.companyId, deliveryId: id })
  const [after] = await server.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  return { ...after, secret: made.secret }
}

test.each([
  [199, 'waiting'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'waiting'],
  [302, 'waiting'],
  [410, 'failed'],
  [503, 'waiting'],
])('a message answered %d is %s', async (status, expected) => {
  answer = () => ({ status })
  expect(await attempt()).toMatchObject({ status: expected, attempts: 1, lastStatus: status })
})

test.each([
  [6, 'waiting'],
  [7, 'failed'],
])('after %d failed attempts, one more leaves the message %s', async (before, expected) => {
  answer = () => ({ status: 500 })
  expect(await attempt(before)).toMatchObject({ status: expected, attempts: before + 1 })
})

test('does not retry a private address, but retries one that does not answer', async () => {
  answer = () => {
    throw new RefusedAddressError('exemple.fr leads to 10.0.0.1')
  }
  expect(await attempt()).toMatchObject({ status: 'failed', lastStatus: null })
  answer = () => {
    throw new Error('nobody')
  }
  expect(await attempt()).toMatchObject({ status: 'waiting', lastStatus: null })
})

test('fails a webhook stored with a password in its address, and says why without repeating it', async () => {
  server.deps.poster = createPoster()
  const failed = await attempt(0, 'https://moi:secret@exemple.fr/crochet')
  expect(failed).toMatchObject({ status: 'failed', lastStatus: null })
  expect(failed.lastError).toMatch(/contient un nom d’utilisateur ou un mot de passe/)
  expect(failed.lastError).not.toMatch(/secret|moi:/)
})

test('signs the id, the time and the body', async () => {
  const { secret, id } = await attempt()
  const [{ headers, body }] = sent as [PostRequest] // one was sent
  expect(headers['webhook-id']).toBe(id)
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`)
})

test('allows at most twenty webhooks per company', async () => {
  const { create } = await webhook()
  const answers = []
  for (let n = 0; n < 20; n++) answers.push((await create()).status)
  expect(answers).toEqual([...new Array(19).fill(200), 409])
})

test('another company can neither read, test nor remove a webhook', async () => {
  const { owner, made } = await webhook()
  const other = await makeUser(server.db)
  const params = { id: made.id }
  for (const e of [endpoints.deliveries, endpoints.test, endpoints.remove])
    expect([e.path, (await call(server, e, { params }, other)).status]).toEqual([e.path, 404])
  expect((await call(server, endpoints.list, {}, other)).body).toEqual({ items: [], total: 0 })
  expect((await call(server, endpoints.list, {}, owner)).body.total).toBe(1)
})
