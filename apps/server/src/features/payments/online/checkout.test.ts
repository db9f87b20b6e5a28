import { invoices as invoiceApi } from '@voisol/contract/invoices'
import { online as api } from '@voisol/contract/online'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { submitPaymentForm, useOnlinePayments, VALID_CARD } from '../../../../test/payment-simulator.ts'
import { invoices, payments } from '../../../db/schema/index.ts'
import { postPayment } from '../payments/index.ts'
import { pollProviders } from './index.ts'

const { server, here, ask, view, openOf, pay, stateOf, reaches } = useOnlinePayments({ members: 6, prefix: 'SOL' })
const intentOf = async (id: string) => {
  const { sessions } = await here().sandbox.control('GET', 'state')
  return sessions.find((one: { reference: string }) => one.reference === id)?.intent as string
}
const receiptsOf = (source: string) =>
  server.db
    .select()
    .from(payments)
    .where(and(eq(payments.companyId, here().admin.companyId), eq(payments.source, source)))

test('tries a key before storing it, refuses a live one here, and never shows it again', async () => {
  const body = { ownerId: here().world.seller.id, environment: 'test', everyone: false, card: true, debit: true }
  const live = await ask(api.addProvider, { body: { ...body, key: 'sk_live_51Hxabcd' } })
  expect([live.status, live.body.issues]).toMatchObject([
    422,
    [{ path: 'key', message: expect.stringContaining('réelle') }],
  ])
  expect((await ask(api.addProvider, { body: { ...body, key: '' } })).body.issues[0].path).toBe('key')
  const none = await ask(api.addProvider, { body: { ...body, environment: 'local', card: false, debit: false } })
  expect(none.body.issues[0].message).toContain('au moins un moyen')
  expect((await view(here().ids[0] ?? '')).refusal).toContain('n’encaisse pas encore en ligne')
  const made = await ask(api.addProvider, { body: { ...body, environment: 'local' } })
  expect(made.body).toMatchObject({ environment: 'local', refused: 0, owner: { name: here().world.seller.name } })
  expect(made.text).not.toContain('sk_test')
  expect((await ask(api.addProvider, { body: { ...body, environment: 'local' } })).status).toBe(409)
  const kept = await server.asOwner('select * from online_providers')
  expect(JSON.stringify(kept)).not.toMatch(/sk_test|whsec/)
  expect((await ask(api.testProvider, { params: { id: made.body.id } })).status).toBe(200)
  expect((await ask(api.sellers, {}, here().client.token)).body.sellerIds).toEqual([here().world.seller.id])
})

test('takes the amount of a card payment from the server and posts it on the provider’s message', async () => {
  const invoiceId = here().ids[0] ?? ''
  const before = await view(invoiceId, here().client.token)
  expect(before).toMatchObject({ methods: ['card', 'debit'], sandbox: true, pending: null, refusal: '' })
  const made = await pay(invoiceId, 'card', here().client.token)
  expect(made).toMatchObject({ state: 'open', amount: before.invoice.open, net: 0 })
  const done = await submitPaymentForm(made.url, VALID_CARD)
  expect(done.location).toBe(`http://${here().host}/client-portal/payment-success?paiement=${made.id}`)
  await reaches(made.id, 'paid')
  const [row] = await receiptsOf(`online:${await intentOf(made.id)}`)
  expect(row).toMatchObject({ kind: 'receipt', amount: made.amount, method: 'card', createdBy: 'Paiement en ligne' })
  expect(row?.accountId).toBeTruthy()
  const { body } = await ask(invoiceApi.get, { params: { id: invoiceId } })
  expect([body.open, body.state]).toEqual([0, 'settled'])
  const again = await ask(
    api.pay,
    { params: { invoiceId }, body: { method: 'card', amount: made.amount } },
    here().client.token,
  )
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining('déjà réglée')])
})

test('refuses payments of others, of another amount or repeated at once, and explains a cancelled one', async () => {
  const invoiceId = here().ids[1] ?? ''
  expect((await ask(api.checkout, { params: { invoiceId } }, here().client.token)).status).toBe(404)
  const foreign = await ask(
    api.pay,
    { params: { invoiceId }, body: { method: 'card', amount: 413 } },
    here().client.token,
  )
  expect(foreign.status).toBe(404)
  const amount = await openOf(invoiceId)
  const other = await ask(api.pay, { params: { invoiceId }, body: { method: 'card', amount: amount + 1 } })
  expect([other.status, other.body.message]).toEqual([409, expect.stringContaining('a changé entre-temps')])
  const order = { params: { invoiceId }, body: { method: 'card', amount } }
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(api.pay, order)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array(19).fill(409)])
  expect(answers.find(({ status }) => status === 409)?.body.message).toContain('déjà ouvert')
  const { pending } = await view(invoiceId)
  const given = await ask(api.cancel, { params: { id: pending.id } })
  expect(given.body).toMatchObject({ state: 'expired', url: null })
  expect((await submitPaymentForm(pending.url, VALID_CARD)).status).toBe(410)
  expect((await pay(invoiceId)).state).toBe('open')
})

test('blocks other payments while a debit is under way, and explains a refused one', async () => {
  const [good, bad] = [await pay(here().ids[2] ?? '', 'debit'), await pay(here().ids[3] ?? '', 'debit')]
  await submitPaymentForm(good.url, { iban: 'FR14 2004 1010 0505 0001 3M02 606' })
  await submitPaymentForm(bad.url, { iban: 'FR84 2004 1010 0505 0001 3M02 607' })
  await reaches(good.id, 'processing')
  const wait = await ask(api.pay, {
    params: { invoiceId: here().ids[2] },
    body: { method: 'card', amount: good.amount },
  })
  expect([wait.status, wait.body.message]).toEqual([409, expect.stringContaining('prélèvement')])
  expect(await openOf(here().ids[2] ?? '')).toBe(good.amount)
  await here().sandbox.control('PUT', 'clock', { now: new Date(Date.now() + 4 * 86_400_000).toISOString() })
  await reaches(good.id, 'paid')
  await reaches(bad.id, 'failed')
  await here().sandbox.control('PUT', 'clock', { now: null })
  expect((await view(here().ids[3] ?? '')).failed.reason).toContain('provision')
  expect(await openOf(here().ids[2] ?? '')).toBe(0)
})

test('reopens the refunded part or a disputed payment, and closes it when the dispute is won', async () => {
  const invoiceId = here().ids[4] ?? ''
  const made = await pay(invoiceId)
  await submitPaymentForm(made.url, VALID_CARD)
  await reaches(made.id, 'paid')
  const refund = (amount: number) => ask(api.refund, { params: { id: made.id }, body: { amount } })
  expect((await refund(made.amount + 1)).body.message).toContain('Il ne reste que')
  expect((await refund(37)).status).toBe(200)
  await reaches(made.id, 'partly')
  expect(await openOf(invoiceId)).toBe(37)
  const intent = await intentOf(made.id)
  const { id } = await here().sandbox.control('PUT', 'dispute', { intent })
  await reaches(made.id, 'disputed')
  expect(await openOf(invoiceId)).toBe(made.amount)
  await here().sandbox.control('PUT', 'dispute-closed', { id, won: true })
  await reaches(made.id, 'partly')
  expect(await openOf(invoiceId)).toBe(37)
})

test('fetches a missed message once at night', async () => {
  const invoiceId = here().ids[5] ?? ''
  await here().sandbox.control('PUT', 'troubles', { hold: true })
  const made = await pay(invoiceId)
  await submitPaymentForm(made.url, VALID_CARD)
  expect(await stateOf(made.id)).toBe('open')
  await pollProviders(server.deps)
  expect(await stateOf(made.id)).toBe('paid')
  await here().sandbox.control('PUT', 'troubles', { hold: false })
  await here().sandbox.control('PUT', 'release', { seed: 3 })
  await pollProviders(server.deps)
  expect(await receiptsOf(`online:${await intentOf(made.id)}`)).toHaveLength(1)
  expect(await openOf(invoiceId)).toBe(0)
})

test('refuses an amount too small for the provider before opening a page', async () => {
  const { companyId } = here().admin
  const small = await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'PET' })
  const [invoiceId = ''] = (await issueMonthDocuments(withoutSubscribers(server.db), small)).ids
  const { number, open } = (await view(invoiceId)).invoice
  const [row] = await server.db.select().from(invoices).where(eq(invoices.id, invoiceId))
  const pair = { sellerId: small.seller.id, buyerId: row?.buyerId ?? null, clientSellerId: null }
  const posting = { ...pair, kind: 'receipt' as const, method: 'transfer' as const, bookedOn: '2026-06-09' }
  const part = { amount: open - 37, accountId: null, source: 'test:small', references: [number] }
  await postPayment(withoutSubscribers(server.db), companyId, { ...posting, ...part }, 'Camille')
  expect((await view(invoiceId)).refusal).toMatch(/au moins 0,50\s€.*réglez ces 0,37\s€/)
})

test('lists to a resident or limited member only payable sellers of invoices they may read', async () => {
  const { companyId } = here().admin
  const elsewhere = await makeMonthFixture(server.db, { companyId, members: 1, prefix: 'VOI' })
  await issueMonthDocuments(withoutSubscribers(server.db), elsewhere)
  await server.asOwner('update online_providers set everyone = true where company_id = $1', [companyId])
  const loadSellerIds = async (token: string) => (await ask(api.sellers, {}, token)).body.sellerIds.toSorted()
  const everybody = await loadSellerIds(here().admin.token)
  expect(everybody).toEqual(expect.arrayContaining([elsewhere.seller.id, here().world.seller.id]))
  expect(await loadSellerIds(here().client.token)).toEqual([here().world.seller.id])
  const newcomer = await makeUser(server.db, { companyId, isAdmin: false })
  expect(await loadSellerIds(newcomer.token)).toEqual([])
  const limited = await makeUser(server.db, {
    companyId,
    permissions: ['payments.read'],
    operationIds: [elsewhere.operation.id],
  })
  expect(await loadSellerIds(limited.token)).toEqual([elsewhere.seller.id])
})
