import { online as api } from '@voisol/contract/online'
import { and, eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useOnlinePayments } from '../../../../test/payment-simulator.ts'
import { onlineEvents, onlinePayments, payments } from '../../../db/schema/index.ts'

const { server, here, ask, openOf, pay, stateOf } = useOnlinePayments({ members: 3, prefix: 'NOT' })
const SECRETS = { ours: 'whsec_nous4711', theirs: 'whsec_eux4711' }
let ours: { companyId: number; id: string }
let theirs: { companyId: number; id: string }

/** A provider per company, each with its own webhook secret. */
async function addProvider(who: { token: string; companyId: number }, ownerId: string, webhookSecret: string) {
  const choice = { ownerId, everyone: true, card: true, debit: true, environment: 'test', key: 'sk_test_essai0001' }
  const made = await ask(api.addProvider, { body: { ...choice, webhookSecret } }, who.token)
  expect(made.status).toBe(200)
  return { companyId: who.companyId, id: made.body.id as string }
}

beforeAll(async () => {
  server.deps.payments.hosts.test = here().sandbox.url
  ours = await addProvider(here().admin, here().world.seller.id, SECRETS.ours)
  const other = await makeUser(server.db)
  const month = await makeMonthFixture(server.db, { companyId: other.companyId, members: 1, prefix: 'AUT' })
  await issueMonthDocuments(withoutSubscribers(server.db), month)
  theirs = await addProvider(other, month.seller.id, SECRETS.theirs)
})

let count = 0
/** A provider message that an amount was paid for an attempt. */
const paid = (reference: string, amount: number, id = `evt_${++count}`) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    created: Math.floor(Date.now() / 1000),
    data: {
      object: {
        object: 'payment_intent',
        id: `pi_${reference.slice(0, 8)}`,
        status: 'succeeded',
        currency: 'eur',
        amount,
        amount_received: amount,
        metadata: { payment: reference },
      },
    },
  })
const send = async (payload: string, secret: string, to: { companyId: number; id: string }, timestamp?: number) => {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const url = `/api/online/webhooks/${to.companyId}/${to.id}`
  const answer = await server.app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, received: answer.json().received as string | undefined }
}
/** Opens an unpaid payment page, with the amount asked. */
async function openAttempt(at: number) {
  const invoiceId = here().ids[at] ?? ''
  const amount = await openOf(invoiceId)
  const { id } = await pay(invoiceId)
  return { invoiceId, amount, id: id as string }
}
const countReceipts = (companyId: number) =>
  server.db.$count(payments, and(eq(payments.companyId, companyId), eq(payments.kind, 'receipt')))

test('changes nothing of ours on another company’s message about our payment', async () => {
  const { invoiceId, amount, id } = await openAttempt(0)
  expect(await send(paid(id, amount), SECRETS.theirs, ours)).toMatchObject({ status: 400 })
  // At their own webhook it is valid, but matches no payment of theirs.
  expect(await send(paid(id, amount), SECRETS.theirs, theirs)).toEqual({ status: 200, received: 'aside' })
  expect(await send(paid(id, amount), SECRETS.ours, { companyId: theirs.companyId, id: ours.id })).toMatchObject({
    status: 404,
  })
  expect(await stateOf(id)).toBe('open')
  expect(await openOf(invoiceId)).toBe(amount)
  expect([await countReceipts(ours.companyId), await countReceipts(theirs.companyId)]).toEqual([0, 0])
})

test('receives money once for a message sent twenty times at once and again a day later', async () => {
  const { invoiceId, amount, id } = await openAttempt(1)
  const before = await countReceipts(ours.companyId)
  const message = paid(id, amount)
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(message, SECRETS.ours, ours)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(answers.filter(({ received }) => received === 'done')).toHaveLength(1)
  const yesterday = Math.floor(Date.now() / 1000) - 86_400
  expect((await send(message, SECRETS.ours, ours, yesterday)).status).toBe(400)
  expect(await countReceipts(ours.companyId)).toBe(before + 1)
  expect([await stateOf(id), await openOf(invoiceId)]).toEqual(['paid', 0])
  const kept = await server.db.$count(onlineEvents, eq(onlineEvents.companyId, ours.companyId))
  expect(kept).toBe(1)
})

test('receives money once for two messages that both report the whole payment', async () => {
  const { invoiceId, amount, id } = await openAttempt(2)
  const before = await countReceipts(ours.companyId)
  const answers = await Promise.all([1, 2].map(() => send(paid(id, amount), SECRETS.ours, ours)))
  expect(answers.map(({ received }) => received)).toEqual(['done', 'done'])
  expect(await countReceipts(ours.companyId)).toBe(before + 1)
  expect(await openOf(invoiceId)).toBe(0)
  const [row] = await server.db.select().from(onlinePayments).where(eq(onlinePayments.id, id))
  expect(row).toMatchObject({ state: 'paid', net: amount })
})
