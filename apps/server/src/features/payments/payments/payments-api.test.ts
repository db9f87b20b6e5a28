import { invoices } from '@voisol/contract/invoices'
import { payments as api } from '@voisol/contract/payments'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { notifications } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let client: User

beforeAll(async () => {
  admin = await makeUser(server.db)
  client = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
})

const world = () => makeSellerAndBuyer(server.db, { companyId: admin.companyId, userId: client.id })
const ask = (e: Parameters<typeof call>[1], input: object, who: User = admin) => call(server, e, input, who)
type World = Awaited<ReturnType<typeof world>>
const body = ({ seller, buyer }: World, amount: number, more: object = {}) => ({
  sellerId: seller.id,
  buyerId: buyer.id,
  amount,
  method: 'cheque',
  bookedOn: getToday(),
  note: 'Chèque 0417',
  ...more,
})

test('records what was proposed, with an overpayment used for the next document', async () => {
  const own = await world()
  const [first, second] = [await own.document(4210, { dueOn: '2026-04-18' }), await own.document(3999)]
  const { sellerId, buyerId } = body(own, 1)
  const query = { sellerId, buyerId, amount: '4500', references: second.number }
  const proposed = (await ask(api.proposal, { query })).body
  expect(proposed).toEqual({
    matched: expect.arrayContaining([
      { invoiceId: first.id, number: first.number, amount: 501 },
      { invoiceId: second.id, number: second.number, amount: 3999 },
    ]),
    advance: 0,
  })
  const made = (await ask(api.create, { body: body(own, 4500, { references: [second.number] }) })).body
  expect(made).toMatchObject({ matched: proposed.matched, open: 0, method: 'cheque', reversedOn: null })
  const over = (await ask(api.create, { body: body(own, 4000) })).body
  expect(over).toMatchObject({ matched: [{ invoiceId: first.id, amount: 3709 }], open: 291 })
  const { items, totals } = (await ask(api.list, { query: { buyerId } })).body
  expect([items.length, totals]).toEqual([2, { received: 8500, returned: 0, advance: 291 }])
  expect((await ask(invoices.list, { query: { buyerId, state: 'settled' } })).body.total).toBe(2)
  const accounts = (await ask(invoices.accounts, { query: { q: own.buyer.name } })).body.items
  expect(accounts).toMatchObject([{ open: 0, credit: 291 }])
})

test('reopens what a payment closed when undone, and refuses a second undo', async () => {
  const own = await world()
  const invoice = await own.document(2317)
  const made = (await ask(api.create, { body: body(own, 2000) })).body
  const undo = () => ask(api.undo, { params: { id: made.id }, body: { reason: 'Saisi deux fois.' } })
  expect((await undo()).body).toMatchObject({ reversedOn: getToday(), matched: [], open: 0 })
  expect(await undo()).toMatchObject({ status: 409 })
  const { open, closings } = (await ask(api.ofInvoice, { params: { id: invoice.id } })).body
  expect([open, closings]).toMatchObject([2317, [{ amount: 2000, undone: true, label: 'Chèque' }]])
  expect((await ask(api.list, { query: { buyerId: own.buyer.id } })).body.totals.received).toBe(0)
})

test('refunds an advance, writes off a rest with its reason, and shows both on the account', async () => {
  const own = await world()
  const invoice = await own.document(1003)
  const made = (await ask(api.create, { body: body(own, 1500) })).body
  const back = { creditId: made.id, amount: 497, method: 'transfer', bookedOn: getToday() }
  expect(await ask(api.refund, { body: { ...back, amount: 498 } })).toMatchObject({ status: 409 })
  expect((await ask(api.refund, { body: back })).body).toMatchObject({ kind: 'refund', open: 0 })
  const second = await own.document(307, { issuedOn: '2026-04-05' })
  const lost = { invoiceId: second.id, amount: 307, reason: 'Parti sans adresse.' }
  expect((await ask(api.writeOff, { body: lost })).body).toMatchObject({ kind: 'writeOff', open: 0 })
  const { accounts } = (await ask(api.account, { params: { id: own.buyer.id } })).body
  expect(accounts).toMatchObject([{ seller: { id: own.seller.id }, balance: 0 }])
  expect(accounts[0].movements.map(({ balance }: { balance: number }) => balance).at(1)).toBe(1310)
  expect(invoice.id).toBe(accounts[0].movements[0].id)
})

test('refuses impossible payments at their field', async () => {
  const own = await world()
  const other = await world()
  const wrong = (more: object) => ask(api.create, { body: body(own, 900, more) })
  expect(await wrong({ buyerId: other.buyer.id })).toMatchObject({ status: 404 })
  await own.document(900)
  const answers = [
    await wrong({ bookedOn: '2999-01-01' }),
    await wrong({ accountId: own.seller.id }),
    await wrong({ amount: 0 }),
    await wrong({ method: 'debit' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422])
  expect(answers[0]?.body.issues).toMatchObject([{ path: 'bookedOn', message: expect.stringContaining('jour passé') }])
})

test('shows a client their own account, and notifies them of a payment', async () => {
  const own = await world()
  const invoice = await own.document(900)
  await ask(api.create, { body: body(own, 1000) })
  expect((await ask(api.account, { params: { id: own.buyer.id } }, client)).status).toBe(200)
  expect((await ask(api.ofInvoice, { params: { id: invoice.id } }, client)).body).toMatchObject({
    open: 0,
    howToPay: null,
  })
  const stranger = await makeUser(server.db, { companyId: admin.companyId, isAdmin: false })
  expect((await ask(api.account, { params: { id: own.buyer.id } }, stranger)).status).toBe(404)
  await waitForJobs(server)
  const told = (await server.db.select().from(notifications)).filter(({ message }) => message.includes(own.seller.name))
  expect(told).toMatchObject([
    { title: 'Paiement bien reçu', message: expect.stringMatching(/1,00\s€ restent en avance/) },
  ])
})

test('hides payments of other operations from a limited user', async () => {
  const own = await world()
  const { operationId } = await own.document(900)
  const paid = await own.pay(100)
  const within = await makeUser(server.db, { companyId: admin.companyId, operationIds: [operationId ?? ''] })
  const beside = await makeUser(server.db, {
    companyId: admin.companyId,
    operationIds: [crypto.randomUUID()],
  })
  const ids = async (who: User) =>
    (await ask(api.list, { query: { size: '100' } }, who)).body.items.map(({ id }: { id: string }) => id)
  expect(await ids(within)).toEqual([paid.id])
  expect(await ids(beside)).toEqual([])
})
