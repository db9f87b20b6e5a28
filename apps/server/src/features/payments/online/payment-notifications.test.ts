import { online as api } from '@voisol/contract/online'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { submitPaymentForm, useOnlinePayments, VALID_CARD } from '../../../../test/payment-simulator.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { events, invoices, notifications } from '../../../db/schema/index.ts'
import { postPayment } from '../payments/index.ts'
import { closePaidCheckout } from './checkout.ts'
import { onlineSubscriber } from './subscriber.ts'

const { server, here, ask, pay, stateOf } = useOnlinePayments({ members: 2, prefix: 'DIT' })
beforeAll(async () => {
  const provider = { ownerId: here().world.seller.id, environment: 'local', everyone: false, card: true, debit: true }
  await ask(api.addProvider, { body: provider })
})

test('notifies the payer and the office once of a debit that fails days later', async () => {
  const { companyId } = here().admin
  const made = await pay(here().ids[0] ?? '', 'debit')
  await submitPaymentForm(made.url, { iban: 'FR84 2004 1010 0505 0001 3M02 607' })
  await here().sandbox.control('PUT', 'clock', { now: new Date(Date.now() + 4 * 86_400_000).toISOString() })
  await waitUntil(async () => (await stateOf(made.id)) === 'failed')
  await here().sandbox.control('PUT', 'clock', { now: null })
  const told = and(eq(events.companyId, companyId), eq(events.name, 'payment.failed'))
  const [event] = await server.db.select().from(events).where(told)
  expect(event?.data).toMatchObject({ onlineId: made.id, invoiceId: here().ids[0], amount: made.amount })
  // The event row as a subscriber receives it.
  const heard = event as unknown as Parameters<typeof onlineSubscriber.handle>[2]
  await onlineSubscriber.handle(server.db, server.deps, heard)
  await onlineSubscriber.handle(server.db, server.deps, heard)
  const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, companyId))
  const ofPayments = rows.filter(({ title }) => /paiement/i.test(title))
  expect(ofPayments.map(({ userId, title }) => [userId, title.split('\u00a0')[0]]).sort()).toEqual(
    [
      [here().client.id, 'Votre paiement n’est pas passé'],
      [here().admin.id, 'Paiement en ligne refusé'],
    ].sort(),
  )
})

test('closes an open payment page once its invoice is paid another way, and not before', async () => {
  const { companyId } = here().admin
  const made = await pay(here().ids[1] ?? '', 'card')
  const place = { companyId, id: made.id as string }
  await closePaidCheckout(server.deps, place)
  expect(await stateOf(made.id)).toBe('open')
  const [invoice] = await server.db
    .select()
    .from(invoices)
    .where(eq(invoices.id, here().ids[1] ?? ''))
  const pair = { sellerId: here().world.seller.id, buyerId: invoice?.buyerId ?? null, clientSellerId: null }
  const how = { kind: 'receipt' as const, method: 'transfer' as const, bookedOn: '2026-06-09', accountId: null }
  const posting = { ...pair, ...how, amount: made.amount, source: 'test:other', references: [invoice?.number ?? ''] }
  await postPayment(withoutSubscribers(server.db), companyId, posting, 'Camille')
  await closePaidCheckout(server.deps, place)
  await closePaidCheckout(server.deps, place)
  expect(await stateOf(made.id)).toBe('expired')
  expect((await submitPaymentForm(made.url, VALID_CARD)).status).toBe(410)
})
