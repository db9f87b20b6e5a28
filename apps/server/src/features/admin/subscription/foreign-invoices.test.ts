import { subscription } from '@voisol/contract/subscription'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeCompany, makeSiteAdmin } from '../../../../test/factories.ts'
import { issueMonthDocuments, makeMonthFixture, withoutSubscribers } from '../../../../test/factories-invoices.ts'
import { type SubscriptionUser, useSubscriptionHelpers } from '../../../../test/factories-portal.ts'
import { useServer } from '../../../../test/server.ts'
import { getToday } from '../../../today.ts'

const server = useServer({ SUBSCRIPTIONS: 'on' })
const { keeper, onTrial, get, choose, documents, starter, professional } = useSubscriptionHelpers(server)

/** Inserts the row as the table owner, to simulate a manipulated database or backup. */
const plant = (companyId: number, sellerCompanyId: number, invoiceId: string) =>
  server.asOwner(
    `insert into subscription_invoices (company_id, seller_company_id, invoice_id, kind) values ($1, $2, $3, 'plan')`,
    [companyId, sellerCompanyId, invoiceId],
  )
const countInvoices = async () => Number((await server.asOwner('select count(*) as n from invoices')).rows[0].n)

async function expectNothingShown(user: SubscriptionUser, invoiceId: string) {
  for (const paper of [subscription.pdf, subscription.xml])
    expect((await call(server, paper, { params: { id: invoiceId } }, user)).status).toBe(404)
  expect((await documents(user)).map(({ id }: { id: string }) => id)).not.toContain(invoiceId)
}

async function expectNothingRefunded(user: SubscriptionUser) {
  const before = await countInvoices()
  const own = (await documents(user)).filter(({ kind }: { kind: string }) => kind === 'invoice').length
  const { version } = (await get(user)).subscription
  expect((await call(server, subscription.refund, { body: { version } }, user)).status).toBe(200)
  expect(await countInvoices()).toBe(before + own)
}

test('a row naming an invoice of another seller shows and refunds nothing', async () => {
  const { id: sellerId } = await makeCompany(server.db)
  const month = await makeMonthFixture(server.db, { companyId: sellerId, members: 1, prefix: 'SOL' })
  const [foreign = ''] = (await issueMonthDocuments(withoutSubscribers(server.db), month)).ids
  const user = await onTrial()
  await choose(user, starter)
  await plant(user.companyId, sellerId, foreign)
  await expectNothingShown(user, foreign)
  await expectNothingRefunded(user)
})

test('a row naming the operator’s invoice to another subscriber shows and refunds nothing', async () => {
  const victim = await onTrial()
  await choose(victim, professional)
  const [{ id: foreign }] = await documents(victim)
  const user = await onTrial()
  await choose(user, starter)
  await plant(user.companyId, keeper.id, foreign)
  // Claiming to be the other company's customer does not help either.
  await server.asOwner(
    `update subscriptions s set buyer_id = v.buyer_id, seller_company_id = v.seller_company_id
       from subscriptions v where s.company_id = $1 and v.company_id = $2`,
    [user.companyId, victim.companyId],
  )
  await expectNothingShown(user, foreign)
  await expectNothingRefunded(user)
  expect(await documents(victim)).toHaveLength(1)
})

test('a row naming an invoice of the operator’s own operation shows nothing', async () => {
  const month = await makeMonthFixture(server.db, { companyId: keeper.id, members: 1, prefix: 'KEP' })
  const [foreign = ''] = (await issueMonthDocuments(withoutSubscribers(server.db), month)).ids
  const user = await onTrial()
  await choose(user, starter)
  await plant(user.companyId, keeper.id, foreign)
  await expectNothingShown(user, foreign)
  await expectNothingRefunded(user)
})

test('a plan bought and refunded twice on one day credits each invoice once', async () => {
  const user = await onTrial()
  for (let round = 1; round <= 2; round++) {
    expect((await choose(user, starter)).status).toBe(200)
    const { version } = (await get(user)).subscription
    expect((await call(server, subscription.refund, { body: { version } }, user)).status).toBe(200)
    const credits = (await documents(user)).filter(({ kind }: { kind: string }) => kind === 'creditNote')
    expect(credits).toHaveLength(round)
  }
})

const HOSTILE_ADD_ON = `insert into subscription_add_ons (company_id, kind, price, state, ordered_on, paid_to, by)
  values ($1, 'constructor', 1, 'running', $2, $2, 'x')`

test('the database refuses an option or a plan that is not sold', async () => {
  const { companyId } = await onTrial()
  await expect(server.asOwner(HOSTILE_ADD_ON, [companyId, getToday()])).rejects.toThrow('subscription_add_ons_kind')
  for (const set of ["plan = 'gold'", "next_plan = 'gold', next_period = 'month'", "next_period = 'week'"])
    await expect(server.asOwner(`update subscriptions set ${set} where company_id = $1`, [companyId])).rejects.toThrow(
      /subscriptions_(plan|next_period)/,
    )
})

test('every page opens with stored options and plans of unknown names', async () => {
  const site = await makeSiteAdmin(server.db)
  const user = await onTrial()
  await choose(user, starter)
  const other = await onTrial()
  await server.asOwner('alter table subscription_add_ons drop constraint subscription_add_ons_kind')
  await server.asOwner('alter table subscriptions drop constraint subscriptions_plan')
  await server.asOwner(HOSTILE_ADD_ON, [user.companyId, '2026-01-01'])
  await server.asOwner(`update subscriptions set next_plan = 'toString', next_period = 'month' where company_id = $1`, [
    user.companyId,
  ])
  await server.asOwner(`update subscriptions set plan = 'gold' where company_id = $1`, [other.companyId])
  const answer = await call(server, subscription.companies, {}, site)
  expect(answer.status).toBe(200)
  const shown = answer.body.items.find(({ companyId }: { companyId: number }) => companyId === user.companyId)
  expect(shown).toMatchObject({ plan: 'starter', addOns: [] })
  expect((await get(user)).subscription).toMatchObject({ plan: 'starter', addOns: [], next: null })
  expect((await get(other)).subscription).toMatchObject({ plan: null })
})
