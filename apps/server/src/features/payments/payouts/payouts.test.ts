import { payouts as api } from '@voisol/contract/payouts'
import { statements } from '@voisol/contract/statements'
import { getTargetDayFrom } from '@voisol/money/working-days'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeIssuedInvoice, makeSeller, makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { listRecordedEvents } from '../../../../test/recorded-events.ts'
import { useServer } from '../../../../test/server.ts'
import { bankAccounts, sellers } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { loadOpenItems, reversePayment } from '../payments/index.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
let admin: User
let organiser: Awaited<ReturnType<typeof makeSeller>>
let accountId: string

const IBAN = 'FR7630006000011234567890189'
const ask = (e: Parameters<typeof call>[1], input: object) => call(server, e, input, admin)

beforeAll(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  organiser = await makeSeller(server.db, { companyId, name: 'Les Toits d’Été' })
  const id = crypto.randomUUID()
  const iban = server.deps.secrets.seal(IBAN, `bank account ${companyId} ${id}`)
  await server.db
    .insert(bankAccounts)
    .values({ companyId, id, ownerId: organiser.id, name: 'Compte commun', iban, ibanEnd: '0189' })
  accountId = id
})

async function makeProducerPair(withIban = true) {
  const { companyId } = admin
  const own = await makeSellerAndBuyer(server.db, { companyId })
  if (withIban) {
    const iban = server.deps.secrets.seal(IBAN, `seller iban ${companyId} ${own.seller.id}`)
    await server.db
      .update(sellers)
      .set({ iban, ibanEnd: '0189' })
      .where(and(eq(sellers.companyId, companyId), eq(sellers.id, own.seller.id)))
  }
  const fees = (gross: number) =>
    makeIssuedInvoice(server.db, { companyId, sellerId: organiser.id, clientSellerId: own.seller.id, gross })
  return { ...own, fees }
}
const NAMES = ['payout.planned', 'payout.filed', 'payout.transferred', 'payout.cancelled'] as const
const toldOf = async (id: string) =>
  (await listRecordedEvents(server.db, admin.companyId, [...NAMES]))
    .filter(({ object }) => object === id)
    .map(({ name, data }) => [name, data])
const dueOf = async (sellerId: string) =>
  (await ask(api.due, {})).body.items.find(({ seller }: { seller: { id: string } }) => seller.id === sellerId)

test('computes payouts due as collected minus fees minus paid, and reduces them by a return', async () => {
  const own = await makeProducerPair()
  await own.document(90_003)
  await own.pay(50_007, { accountId })
  // Money on the producer's own account, or on none, is held by nobody.
  await own.pay(1_000)
  const back = await own.pay(7_001, { accountId })
  await own.fees(4_105)
  expect(await dueOf(own.seller.id)).toMatchObject({
    collected: 57_008,
    setOff: 0,
    paid: 0,
    due: 57_008,
    fees: 4_105,
    payable: 52_903,
    waits: '',
  })
  const reversal = { paymentId: back.id, kind: 'return' as const, bookedOn: getToday(), source: 'entry:3' }
  await reversePayment(server.db, admin.companyId, reversal, 'Camille')
  expect(await dueOf(own.seller.id)).toMatchObject({ collected: 50_007, payable: 45_902 })

  const planned = (await ask(api.plan, { body: { accountId, sellerIds: [own.seller.id] } })).body
  expect(planned).toMatchObject({ refused: [], items: [{ amount: 45_902, setOff: 4_105, status: 'planned' }] })
  expect(await dueOf(own.seller.id)).toMatchObject({
    due: 0,
    fees: 0,
    payable: 0,
    paid: 45_902,
    setOff: 4_105,
    waits: 'Tout est versé.',
  })
  const pair = { sellerId: organiser.id, buyerId: null, clientSellerId: own.seller.id }
  expect(await loadOpenItems(server.db, admin.companyId, pair)).toEqual([])
  const again = (await ask(api.plan, { body: { accountId, sellerIds: [own.seller.id] } })).body
  expect(again).toMatchObject({ items: [], refused: [{ why: 'Tout est versé.' }] })

  const { id, version } = planned.items[0]
  expect((await ask(api.cancel, { params: { id }, body: { version } })).body.status).toBe('cancelled')
  expect(await dueOf(own.seller.id)).toMatchObject({ due: 50_007, fees: 4_105, payable: 45_902 })
  const about = { payoutId: id, sellerId: own.seller.id, accountId, amount: 45_902, setOff: 4_105 }
  expect(await toldOf(id)).toEqual([
    ['payout.planned', about],
    ['payout.cancelled', about],
  ])
})

test('owes a producer nothing for what it collected itself', async () => {
  const own = await makeProducerPair()
  await own.document(9_001)
  const bank = { companyId: admin.companyId, ownerId: own.seller.id, name: 'Compte du toit' }
  const [account] = await server.db.insert(bankAccounts).values(bank).returning()
  await own.pay(2_003, { accountId: account?.id ?? null })
  expect(await dueOf(own.seller.id)).toBeUndefined()
})

test('writes one file per account for a bank day, then marks it paid by the bank line', async () => {
  const own = await makeProducerPair()
  await own.document(90_003)
  await own.pay(3_017, { accountId })
  const { items } = (await ask(api.plan, { body: { accountId, sellerIds: [own.seller.id] } })).body
  const { id } = items[0]
  expect((await ask(api.file, { body: { accountId, on: '2030-04-19' } })).body.issues[0].message).toMatch(
    /premier jour ouvert est le 23 avril 2030/,
  )
  const early = await ask(api.paid, { params: { id }, body: { on: getToday(), version: 1 } })
  expect(early.status).toBe(409)
  const filed = (await ask(api.file, { body: { accountId, on: getTargetDayFrom(getToday()) } })).body
  expect(filed).toMatchObject({ payouts: 1, amount: 3_017 })
  expect((await ask(api.file, { body: { accountId, on: getTargetDayFrom(getToday()) } })).status).toBe(409)
  const xml = (await ask(api.download, { params: { id } })).text
  expect(xml).toContain(`<MsgId>${filed.messageId}</MsgId>`)
  expect(xml).toContain('<CtrlSum>30.17</CtrlSum>')
  const paid = await ask(api.paid, { params: { id }, body: { on: getToday(), bankReference: 'VIR 0417', version: 2 } })
  expect(paid.body).toMatchObject({ status: 'paid', paidOn: getToday(), bankReference: 'VIR 0417' })
  expect((await ask(api.cancel, { params: { id }, body: { version: 3 } })).status).toBe(409)
  expect((await toldOf(id)).slice(1)).toMatchObject([
    ['payout.filed', { messageId: filed.messageId, on: getTargetDayFrom(getToday()), amount: 3_017 }],
    ['payout.transferred', { on: getToday(), sellerId: own.seller.id }],
  ])
})

test('keeps a payout without a known account waiting, and needs no bank when fees take it all', async () => {
  const own = await makeProducerPair(false)
  await own.document(9_001)
  await own.pay(2_000, { accountId })
  const plan = () => ask(api.plan, { body: { accountId, sellerIds: [own.seller.id] } })
  expect((await plan()).body.refused).toMatchObject([{ why: expect.stringMatching(/n’est pas dit/) }])
  await own.fees(2_500)
  expect((await plan()).body.items).toMatchObject([{ amount: 0, setOff: 2_000, status: 'paid' }])
  expect(await dueOf(own.seller.id)).toMatchObject({ due: 0, fees: 500 })
})

test('shows on the month’s statement what was collected for the producer and what is payable', async () => {
  const own = await makeProducerPair()
  await own.document(9_001)
  const statement = async (month: string) =>
    (await ask(statements.get, { params: { sellerId: own.seller.id, month } })).body
  expect(await statement('2026-04')).toMatchObject({ collected: null, payable: null })
  await own.pay(4_007, { accountId, bookedOn: '2026-04-30' })
  await own.pay(2_001, { accountId, bookedOn: '2026-05-01' })
  expect(await statement('2026-04')).toMatchObject({ collected: 4_007, payable: 4_007 })
  expect(await statement('2026-06')).toMatchObject({ collected: 0, payable: 0 })
})
