import { online as api } from '@voisol/contract/online'
import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  issueMonthDocuments,
  type MonthFixture,
  makeMonthFixture,
  withoutSubscribers,
} from '../../../../test/factories-invoices.ts'
import {
  startTestPaymentSimulator,
  submitPaymentForm,
  type TestPaymentSimulator,
  VALID_CARD,
} from '../../../../test/payment-simulator.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'

const server = useServer()
const SECRET = 'whsec_essai4711'
const MEMBERS = 2
let sandbox: TestPaymentSimulator
let admin: Awaited<ReturnType<typeof makeUser>>
let world: MonthFixture
let ids: string[]
let host: string
let provider: { id: string }

beforeAll(async () => {
  sandbox = await startTestPaymentSimulator()
  server.deps.payments.hosts.local = sandbox.url
  server.deps.payments.hosts.test = sandbox.url
  host = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 })).host
  admin = await makeUser(server.db)
  world = await makeMonthFixture(server.db, { companyId: admin.companyId, members: MEMBERS, prefix: 'WEB' })
  ids = (await issueMonthDocuments(withoutSubscribers(server.db), world)).ids
  const choice = { ownerId: world.seller.id, everyone: false, card: true, debit: true }
  const body = { ...choice, environment: 'test', key: 'sk_test_essai0001', webhookSecret: SECRET }
  provider = (await ask(api.addProvider, { body })).body
})
afterAll(() => sandbox.stop())

const ask = (e: Parameters<typeof call>[1], input: object = {}) =>
  call(server, e, input as Record<string, unknown>, { token: admin.token, headers: { host } })
const succeeded = (id: string, intent: string, more: object = {}) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'payment_intent.succeeded',
    created: 1_789_000_000,
    data: {
      object: {
        object: 'payment_intent',
        id: intent,
        status: 'succeeded',
        currency: 'eur',
        amount: 413,
        amount_received: 413,
        metadata: {},
        ...more,
      },
    },
  })
const send = async (payload: string, secret = SECRET, id = provider.id) => {
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  const url = `/api/online/webhooks/${admin.companyId}/${id}`
  const answer = await server.app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const countOf = async () => (await ask(api.providers)).body.items[0].refused as number
const rows = async () => Number((await server.asOwner('select count(*) from online_events')).rows[0]?.count)

test('refuses and counts a forged message, and stores nothing of it', async () => {
  const before = [await countOf(), await rows()]
  expect(await send(succeeded('evt_f', 'pi_f'), 'whsec_autre1234')).toMatchObject({
    status: 400,
    body: { code: 'malformed' },
  })
  expect((await send('{"pas":"un message"}', 'whsec_autre1234')).status).toBe(400)
  expect([await countOf(), await rows()]).toEqual([(before[0] ?? 0) + 2, before[1]])
  expect((await send(succeeded('evt_f', 'pi_f'), SECRET, crypto.randomUUID())).status).toBe(404)
})

test('sets aside a message about an unknown payment until a person files it with a note', async () => {
  expect(await send(succeeded('evt_u', 'pi_inconnu'))).toMatchObject({ status: 200, body: { received: 'aside' } })
  expect(await send(succeeded('evt_u', 'pi_inconnu'))).toMatchObject({ status: 200, body: { received: 'again' } })
  expect((await send(succeeded('evt_usd', 'pi_usd', { currency: 'usd' }))).status).toBe(200)
  const { items } = (await ask(api.letters)).body
  expect(items).toMatchObject([{ intent: 'pi_inconnu', about: 'Paiement reçu', amount: 413 }])
  const settle = (note: string) => ask(api.settleLetter, { params: { id: items[0].id }, body: { note } })
  expect((await settle('')).status).toBe(422)
  expect((await settle('Paiement d’un autre logiciel.')).status).toBe(200)
  expect((await ask(api.letters)).body.items).toEqual([])
  expect((await settle('Encore une fois.')).status).toBe(404)
})

/** The open amount of an invoice, and the payment's state and net amount. */
const standing = async (invoiceId: string, id: string) => {
  const { body } = await ask(api.checkout, { params: { invoiceId } })
  const { state, net } = (await ask(api.payment, { params: { id } })).body
  return { open: body.invoice.open as number, gross: body.invoice.gross as number, state, net }
}

test('ends with the same account for any order of messages, repeated and among forged ones', async () => {
  await ask(api.closeProvider, { params: { id: provider.id } })
  const body = { ownerId: world.seller.id, everyone: true, card: true, debit: false, environment: 'local' }
  expect((await ask(api.addProvider, { body })).status).toBe(200)
  for (const [at, invoiceId] of ids.entries()) {
    await sandbox.control('PUT', 'troubles', { hold: true, twice: true, forged: true })
    const { invoice } = (await ask(api.checkout, { params: { invoiceId } })).body
    const made = (await ask(api.pay, { params: { invoiceId }, body: { method: 'card', amount: invoice.open } })).body
    await submitPaymentForm(made.url, { ...VALID_CARD, card: '4000 0000 0000 9995' })
    await submitPaymentForm(made.url, VALID_CARD)
    const state = await sandbox.control('GET', 'state')
    const { intent } = state.sessions.find((one: { reference: string }) => one.reference === made.id)
    const { id } = await sandbox.control('PUT', 'dispute', { intent })
    await sandbox.control('PUT', 'dispute-closed', { id, won: true })
    const { sent } = await sandbox.control('PUT', 'release', { seed: 41 + at * 7 })
    expect(sent).toBe(15)
    const end = await waitUntil(async () => {
      const now = await standing(invoiceId, made.id)
      return now.state === 'paid' && now
    })
    expect(end).toEqual({ open: 0, gross: invoice.gross, state: 'paid', net: invoice.gross })
  }
  expect((await ask(api.letters)).body.items).toEqual([])
  expect(await countOf()).toBe(MEMBERS * 5)
})
