import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../../../test/factories.ts'
import { makeSellerAndBuyer } from '../../../../test/factories-billing.ts'
import { withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import type { Db } from '../../../db/client.ts'
import {
  loadAccountMovements,
  loadOpenItems,
  type PostPaymentInput,
  postPayment,
  refundCredit,
  reversePayment,
} from './index.ts'

const server = useServer()
let companyId: number
let db: Db

beforeAll(async () => {
  companyId = (await makeUser(server.db)).companyId
  db = withoutSubscribers(server.db)
})

type World = Awaited<ReturnType<typeof makeSellerAndBuyer>> & {
  owed: number
  receipts: PostPaymentInput[]
  ids: string[]
  invoices: string[]
}
type Step = { do: string; amount: number; pick: number }
const step = fc.record({
  do: fc.constantFrom('invoice', 'invoice', 'creditNote', 'pay', 'pay', 'back', 'refund', 'replay'),
  amount: fc.integer({ min: 1, max: 4_999 }),
  pick: fc.nat({ max: 99 }),
})
const at = <T>(list: readonly T[], pick: number): T | undefined => list[list.length ? pick % list.length : 0]

async function payBack(world: World, { amount, pick }: Step, source: string) {
  const credits = (await loadOpenItems(db, companyId, world.pair)).filter(({ side }) => side === 'credit')
  const credit = at(credits, pick)
  if (!credit) return
  const cents = Math.min(amount, credit.open)
  const of = credit.of === 'invoice' ? { creditInvoiceId: credit.id } : { creditPaymentId: credit.id }
  const how = { bookedOn: '2026-05-09', accountId: null, method: 'transfer' as const, source }
  await refundCredit(db, companyId, { pair: world.pair, amount: cents, of, ...how }, 'Camille')
  world.owed += cents
}

async function walk(world: World, one: Step, index: number) {
  const { amount, pick } = one
  if (one.do === 'invoice') {
    world.invoices.push((await world.document(amount)).id)
    world.owed += amount
  } else if (one.do === 'creditNote') {
    await world.document(amount, { kind: 'creditNote', correctsId: at(world.invoices, pick) ?? null })
    world.owed -= amount
  } else if (one.do === 'pay') {
    const posting = world.posting(amount)
    world.ids.push((await postPayment(db, companyId, posting, 'Camille')).id)
    world.receipts.push(posting)
    world.owed -= amount
  } else if (one.do === 'back') {
    const place = world.ids.length ? pick % world.ids.length : -1
    const [paymentId] = place < 0 ? [] : world.ids.splice(place, 1)
    const [posting] = place < 0 ? [] : world.receipts.splice(place, 1)
    if (!paymentId || !posting) return
    const order = { paymentId, kind: 'return' as const, bookedOn: '2026-05-22', source: `back:${index}` }
    await reversePayment(db, companyId, order, 'Camille')
    expect((await reversePayment(db, companyId, order, 'Camille')).already).toBe(true)
    world.owed += posting.amount
  } else if (one.do === 'refund') await payBack(world, one, `refund:${index}`)
  else {
    const posting = at(world.receipts, pick)
    if (posting) expect((await postPayment(db, companyId, posting, 'Camille')).already).toBe(true)
  }
}

test('keeps open amounts equal to what is owed, on one side only, after any random events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 10 }), async (steps) => {
      const world: World = {
        ...(await makeSellerAndBuyer(db, { companyId })),
        owed: 0,
        receipts: [],
        ids: [],
        invoices: [],
      }
      for (const [index, one] of steps.entries()) {
        await walk(world, one, index)
        const items = await loadOpenItems(db, companyId, world.pair)
        const sum = items.reduce((total, { side, open }) => total + (side === 'debit' ? open : -open), 0)
        const sides = new Set(items.map(({ side }) => side)).size
        const told = (await loadAccountMovements(db, companyId, world.pair)).at(-1)?.balance ?? 0
        expect([sum, told, sides < 2]).toEqual([world.owed, world.owed, true])
      }
    }),
    { numRuns: 12 },
  )
})
