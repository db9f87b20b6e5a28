import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import type { Db } from '../../../db/client.ts'
import { events, matches, payments } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import { loadOpenAmounts } from '../../billing/invoices/index.ts'
import { loadAccountMovements, loadOpenItems, postPayment, refundCredit, reversePayment } from './index.ts'

const server = useServer()
let companyId: number
let db: Db

beforeAll(async () => {
  companyId = (await makeUser(server.db)).companyId
  db = withoutSubscribers(server.db)
})

const left = async (ids: string[]) => {
  const open = await loadOpenAmounts(server.db, companyId)
  return ids.map((id) => open.get(id))
}

test('closes the named document, then the oldest due, and uses the rest for the next one', async () => {
  const { pair, document, pay } = await makeSellerAndBuyer(db, { companyId })
  const first = await document(4210, { dueOn: '2026-05-18' })
  const second = await document(3999, { dueOn: '2026-04-18' })
  const paid = await pay(8500, { references: [first.number] })
  expect(paid).toMatchObject({ already: false, advance: 291 })
  expect(paid.matched.toSorted((a, b) => b.amount - a.amount)).toEqual([
    { invoiceId: first.id, number: first.number, amount: 4210 },
    { invoiceId: second.id, number: second.number, amount: 3999 },
  ])
  const third = await document(1003)
  expect(await left([first.id, second.id, third.id, paid.id])).toEqual([0, 0, 712, 0])
  expect(await loadOpenItems(server.db, companyId, pair)).toMatchObject([{ id: third.id, open: 712, side: 'debit' }])
  const account = await loadAccountMovements(server.db, companyId, pair)
  expect(account.at(-1)?.balance).toBe(712)
})

test('posts the same source once, and refuses it with another amount', async () => {
  const { pay, document } = await makeSellerAndBuyer(db, { companyId })
  const invoice = await document(2317)
  const once = await pay(1000, { source: 'manual:7' })
  expect(await pay(1000, { source: 'manual:7' })).toEqual({ ...once, already: true })
  await expect(pay(1001, { source: 'manual:7' })).rejects.toThrow(/déjà pour 10,00/)
  expect(await left([invoice.id])).toEqual([1317])
})

test('matches a new document with a waiting credit note or advance at once', async () => {
  const { pair, document, pay } = await makeSellerAndBuyer(server.db, { companyId })
  await pay(500)
  const invoice = await document(1250)
  const credit = await document(250, { kind: 'creditNote', correctsId: invoice.id })
  const { id, kind, number, gross, operationId } = credit
  await recordEvent(server.db, {
    companyId,
    name: 'invoice.issued',
    object: id,
    data: {
      invoiceId: id,
      operationId,
      sellerId: pair.sellerId,
      buyerId: pair.buyerId,
      kind: 'creditNote',
      number,
      gross,
    },
  })
  expect(kind).toBe('creditNote')
  await waitForJobs(server)
  const stored = await server.db
    .select()
    .from(matches)
    .where(and(eq(matches.companyId, companyId), eq(matches.debitInvoiceId, invoice.id)))
  expect(stored.map(({ amount }) => amount).sort()).toEqual([250, 500])
})

test('reopens exactly what a returned payment had closed, once, and records an event', async () => {
  const { document, pay } = await makeSellerAndBuyer(db, { companyId })
  const [first, second] = [await document(4210, { dueOn: '2026-04-18' }), await document(3999, { dueOn: '2026-05-18' })]
  await pay(210)
  const paid = await pay(5007)
  expect(await left([first.id, second.id])).toEqual([0, 2992])
  const order = { paymentId: paid.id, kind: 'return' as const, bookedOn: '2026-05-22', source: 'entry:9', note: 'AM04' }
  const back = await reversePayment(db, companyId, order, 'Camille')
  expect(back.reopened.toSorted((a, b) => b.amount - a.amount)).toEqual([
    { invoiceId: first.id, amount: 4000 },
    { invoiceId: second.id, amount: 1007 },
  ])
  expect(await left([first.id, second.id, paid.id, back.id])).toEqual([4000, 3999, 0, 0])
  expect(await reversePayment(db, companyId, order, 'Camille')).toEqual({ ...back, already: true })
  await expect(reversePayment(db, companyId, { ...order, source: 'entry:10' }, 'Camille')).rejects.toThrow(
    /déjà été repris/,
  )
  const told = await server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, back.id)))
  expect(told).toMatchObject([{ name: 'payment.returned', data: { paymentId: paid.id, amount: 5007, kind: 'return' } }])
})

test('refuses to reverse a missing or refunded payment', async () => {
  const { pair, pay } = await makeSellerAndBuyer(db, { companyId })
  const paid = await pay(900)
  const order = { paymentId: paid.id, kind: 'undo' as const, bookedOn: '2026-05-03', source: 'undo:1' }
  await expect(reversePayment(db, companyId, order, 'Camille')).rejects.toThrow(/avant d’être là/)
  const of = { creditPaymentId: paid.id }
  const out = {
    pair,
    amount: 400,
    of,
    bookedOn: '2026-05-09',
    accountId: null,
    method: 'transfer' as const,
    source: 'r:1',
  }
  await expect(refundCredit(db, companyId, { ...out, amount: 901 }, 'Camille')).rejects.toThrow(/il reste 9,00/)
  const back = await refundCredit(db, companyId, out, 'Camille')
  expect(await refundCredit(db, companyId, out, 'Camille')).toEqual({ ...back, already: true })
  expect(await left([paid.id, back.id])).toEqual([500, 0])
  await expect(reversePayment(db, companyId, { ...order, paymentId: back.id }, 'Camille')).rejects.toThrow(
    /se rattrape/,
  )
  // Returned after its advance was refunded: the buyer owes the refunded amount.
  await reversePayment(db, companyId, { ...order, kind: 'return', bookedOn: '2026-05-12' }, 'Camille')
  expect(await left([paid.id, back.id])).toEqual([0, 400])
})

test('writes off only what is owed, and never as an advance', async () => {
  const { document, pay } = await makeSellerAndBuyer(db, { companyId })
  const [first, second] = [await document(703), await document(1999)]
  const lost = { kind: 'writeOff' as const, method: 'none' as const, references: [first.number] }
  await expect(pay(704, lost)).rejects.toThrow(/il reste 7,03/)
  await pay(703, lost)
  expect(await left([first.id, second.id])).toEqual([0, 1999])
})

test('treats a charge as a document, closed by a waiting credit', async () => {
  const { pay } = await makeSellerAndBuyer(db, { companyId })
  const paid = await pay(1500)
  const charge = await pay(4000, { kind: 'charge', method: 'none' })
  expect(await left([paid.id, charge.id])).toEqual([0, 2500])
})

test('closes nothing twice when two payments are posted to one account at once', async () => {
  const { document, posting } = await makeSellerAndBuyer(db, { companyId })
  const invoice = await document(3001)
  const orders = [
    posting(2000),
    posting(1700),
    posting(900),
    posting(900, { source: 'same' }),
    posting(900, { source: 'same' }),
  ]
  const answers = await Promise.all(orders.map((order) => postPayment(db, companyId, order, 'Camille')))
  expect(answers.reduce((sum, { matched, already }) => sum + (already ? 0 : (matched[0]?.amount ?? 0)), 0)).toBe(3001)
  expect(answers.filter(({ already }) => already)).toHaveLength(1)
  expect(await left([invoice.id])).toEqual([0])
})

test('refuses to change or delete payments with the application role', async () => {
  await expect(server.db.update(payments).set({ amount: 1 })).rejects.toThrow()
  await expect(server.db.delete(matches)).rejects.toThrow()
})
