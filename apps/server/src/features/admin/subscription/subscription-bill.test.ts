import { api } from '@voisol/contract'
import { subscription } from '@voisol/contract/subscription'
import { addDays } from '@voisol/money/days'
import { addMonthsToDay } from '@voisol/money/prorata'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { useSubscriptionHelpers } from '../../../../test/factories-portal.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { invoices, notifications, participations, subscriptions } from '../../../db/schema/index.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'

const server = useServer({ SUBSCRIPTIONS: 'on' })
const { keeper, onTrial, get, choose, documents, starter, professional, using } = useSubscriptionHelpers(server)

test('upgrading starts today and is invoiced for the difference in the operator’s own sequence', async () => {
  const user = await onTrial()
  await choose(user, starter)
  const from = addDays(getToday(), -12)
  const paid = { paidFrom: from, anchorOn: from, startedOn: from, paidTo: addMonthsToDay(from, 1) }
  await server.db.update(subscriptions).set(paid).where(eq(subscriptions.companyId, user.companyId))
  const quote = (await call(server, subscription.quote, { query: professional }, user)).body
  expect(quote).toMatchObject({ now: true, on: getToday(), tooMany: 0 })
  const stale = { ...professional, net: quote.net + 1, version: (await get(user)).subscription.version }
  expect((await call(server, subscription.choose, { body: stale }, user)).body.code).toBe('stale')
  const both = await Promise.all([choose(user, professional), choose(user, professional)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await get(user)).subscription).toMatchObject({ plan: 'professional', paidTo: paid.paidTo, state: 'active' })
  const [bill, first, ...others] = await documents(user)
  expect(others).toEqual([])
  expect(bill).toMatchObject({
    net: quote.net,
    gross: quote.gross,
    open: quote.gross,
    state: 'due',
    hasXml: true,
    label: 'Abonnement Professional, mensuel',
  })
  expect(first).toMatchObject({ net: 14_900, gross: 17_880 })
  const [issued] = await server.db.select().from(invoices).where(eq(invoices.id, bill.id))
  expect(issued).toMatchObject({ companyId: keeper.id, operationId: null })
  expect(issued?.number).toMatch(/^ABO\d{4}-\d{5}$/)
  const pdf = await call(server, subscription.pdf, { params: { id: bill.id } }, user)
  expect(pdf.headers['content-type']).toBe('application/pdf')
  const other = await onTrial()
  expect((await call(server, subscription.pdf, { params: { id: bill.id } }, other)).status).toBe(404)
  expect((await call(server, api.invoices.pdf, { params: { id: bill.id } }, user)).status).toBe(404)
  await waitForJobs(server)
  expect((await listMailsTo(server, `facture${user.companyId}@exemple.fr`)).length).toBeGreaterThanOrEqual(1)
})

test('downgrading waits for the end of the paid period, needs few enough points, and can be cancelled', async () => {
  const user = await onTrial()
  await choose(user, professional)
  const { enter } = await using(user, 51)
  expect((await call(server, subscription.quote, { query: starter }, user)).body).toMatchObject({
    now: false,
    tooMany: 1,
  })
  expect((await choose(user, starter)).body).toMatchObject({ plan: 'professional', next: starter })
  expect((await enter()).status).toBe(200)
  const end = async () => {
    const from = addMonthsToDay(getToday(), -1)
    await server.db
      .update(subscriptions)
      .set({ paidFrom: from, anchorOn: from, paidTo: getToday() })
      .where(eq(subscriptions.companyId, user.companyId))
    await enqueue(server.db, 'subscription.daily', {})
    await enqueue(server.db, 'subscription.daily', {})
    await waitForJobs(server)
  }
  await end()
  expect((await get(user)).subscription).toMatchObject({
    plan: 'professional',
    next: null,
    state: 'active',
    paidFrom: getToday(),
  })
  expect(await documents(user)).toHaveLength(2)
  await server.db
    .update(participations)
    .set({ endsOn: '2025-08-01' })
    .where(eq(participations.companyId, user.companyId))
  await choose(user, starter)
  await end()
  expect((await get(user)).subscription).toMatchObject({ plan: 'starter', price: 14_900, next: null })
  const told = await server.db.select().from(notifications).where(eq(notifications.companyId, user.companyId))
  expect(told.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['Votre formule Professional est reconduite', 'Vous êtes passé à la formule Starter']),
  )
  const { version } = (await get(user)).subscription
  const left = await call(server, subscription.leave, { body: { version } }, user)
  expect(left.body).toMatchObject({ state: 'ending' })
  const resumed = await call(server, subscription.resume, { body: { version: left.body.version } }, user)
  expect(resumed.body).toMatchObject({ state: 'active' })
  await call(server, subscription.leave, { body: { version: resumed.body.version } }, user)
  await end()
  expect((await get(user)).subscription).toMatchObject({ state: 'ended', readOnly: true })
  expect((await enter()).body.code).toBe('read-only')
  expect((await choose(user, starter)).body).toMatchObject({ state: 'active', readOnly: false, startedOn: getToday() })
})

test('within thirty days all invoices are refunded by credit notes; later they are not', async () => {
  const user = await onTrial()
  await choose(user, starter)
  await choose(user, professional)
  const before = (await get(user)).subscription
  expect(before.moneyBackUntil).toBe(addDays(getToday(), 30))
  const refunded = await call(server, subscription.refund, { body: { version: before.version } }, user)
  expect(refunded.body).toMatchObject({ state: 'ended', readOnly: true, moneyBackUntil: null })
  const all = await documents(user)
  const credits = all.filter(({ kind }: { kind: string }) => kind === 'creditNote')
  const sum = (rows: { gross: number }[]) => rows.reduce((total, { gross }) => total + gross, 0)
  expect(credits).toHaveLength(2)
  expect(sum(credits) * 2).toBe(sum(all))
  expect(all.every(({ open }: { open: number }) => open === 0)).toBe(true)
  expect((await call(server, subscription.refund, { body: { version: refunded.body.version } }, user)).status).toBe(409)
  const late = await onTrial()
  await choose(late, starter)
  await server.db
    .update(subscriptions)
    .set({ startedOn: addDays(getToday(), -31) })
    .where(eq(subscriptions.companyId, late.companyId))
  const { version } = (await get(late)).subscription
  expect((await call(server, subscription.refund, { body: { version } }, late)).status).toBe(409)
})

test('an option is billed when ordered and every month, and ends with the paid period', async () => {
  const user = await onTrial()
  const order = (kind: string, net: number) => call(server, subscription.order, { body: { kind, net } }, user)
  expect((await order('priority', 30_000)).status).toBe(409)
  await choose(user, starter)
  expect((await order('priority', 29_999)).body.code).toBe('stale')
  expect((await order('priority', 30_000)).body).toMatchObject({
    state: 'running',
    paidTo: addMonthsToDay(getToday(), 1),
  })
  expect((await order('priority', 30_000)).status).toBe(409)
  const asked = { subject: 'Une clé', body: 'Laquelle choisir\u00a0?', category: 'other', fileIds: [], about: null }
  const ticket = await call(server, api.support.create, { body: asked }, user)
  expect(ticket.status).toBe(200)
  const queue = await call(server, api.supportDesk.queue, { query: {} }, await makeSiteAdmin(server.db))
  expect(queue.body.items.find((one: { id: string }) => one.id === ticket.body.id)).toMatchObject({ priority: 'high' })
  const { id } = (await order('training', 99_000)).body
  const from = addMonthsToDay(getToday(), -2)
  await server.db.execute(
    sql`update subscription_add_ons set ordered_on = ${from}, paid_to = ${addMonthsToDay(from, 1)} where company_id = ${user.companyId} and kind = 'priority'`,
  )
  await enqueue(server.db, 'subscription.daily', {})
  await waitForJobs(server)
  const bills = (await documents(user)).filter(({ label }: { label: string }) => label === 'Option Support prioritaire')
  expect(bills.map(({ net }: { net: number }) => net)).toEqual([30_000, 30_000, 30_000])
  const [running] = (await get(user)).subscription.addOns.filter(({ kind }: { kind: string }) => kind === 'priority')
  expect(running.paidTo).toBe(addMonthsToDay(from, 3))
  expect((await call(server, subscription.stop, { params: { id: running.id } }, user)).status).toBe(200)
  const site = await makeSiteAdmin(server.db)
  const done = await call(server, subscription.deliver, { params: { companyId: user.companyId, id } }, site)
  expect(done.body.addOns).toMatchObject([
    { kind: 'training', state: 'done' },
    { kind: 'priority', state: 'ending' },
  ])
  expect((await call(server, subscription.deliver, { params: { companyId: user.companyId, id } }, user)).status).toBe(
    403,
  )
})
