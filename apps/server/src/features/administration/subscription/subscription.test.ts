import { api } from '@voisol/contract'
import { participations as members } from '@voisol/contract/points'
import { subscription } from '@voisol/contract/subscription'
import { usage } from '@voisol/contract/usage'
import { addDays } from '@voisol/money/days'
import { monthsLater } from '@voisol/money/prorata'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { keeperOf, makeApiKey, makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-participants.ts'
import { jobsEnd } from '../../../../test/jobs.ts'
import { mailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { holdSubscriptions } from '../../../core/plan.ts'
import { companies, invoices, notifications, participations, subscriptions } from '../../../db/schema/index.ts'
import { isClosedLapsed } from '../../../http/authorize.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { today } from '../../../today.ts'
import { warningOf } from './jobs.ts'

const server = useServer({ SUBSCRIPTIONS: 'on' })
let keeper = 0
beforeAll(async () => {
  keeper = await keeperOf(server.db)
  await server.db
    .update(companies)
    .set({
      legalName: 'Voisol SAS',
      siren: '552081317',
      address: '8 rue du Port, 69007 Lyon',
      email: 'compta@exemple.fr',
    })
    .where(eq(companies.id, keeper))
})

type User = Awaited<ReturnType<typeof makeUser>>
const days = (count: number) => sql`now() + make_interval(days => ${count})`

/** An administrator of a company whose trial has so many days left. */
async function onTrial(left = 20): Promise<User> {
  const user = await makeUser(server.db)
  await server.db.insert(subscriptions).values({ companyId: user.companyId })
  await server.db
    .update(companies)
    .set({ trialEndsAt: days(left), email: `facture${user.companyId}@exemple.fr` })
    .where(eq(companies.id, user.companyId))
  return user
}
const get = async (user: User) => (await call(server, subscription.get, {}, user)).body
type Wanted = { plan: 'starter' | 'professional'; period: 'month' | 'year' }
async function choose(user: User, wanted: Wanted) {
  const quote = (await call(server, subscription.quote, { query: wanted }, user)).body
  const { version } = (await get(user)).subscription
  return call(server, subscription.choose, { body: { ...wanted, net: quote.net, version } }, user)
}
const documents = async (user: User) => (await call(server, subscription.invoices, {}, user)).body.items
const starter = { plan: 'starter', period: 'month' } as const
const professional = { plan: 'professional', period: 'month' } as const

/** A company that uses so many points; its next entry is one call. */
async function using(user: User, count: number) {
  const { companyId } = user
  const operation = await makeOperation(server.db, { companyId, startsOn: '2025-01-01' })
  const participant = await makeParticipant(server.db, { companyId })
  const pointIds = await Promise.all(Array.from({ length: count }, () => makePoint(server.db, { companyId })))
  const held = { companyId, operationId: operation.id, participantId: participant.id, startsOn: '2025-02-01' }
  for (const point of pointIds) await makeParticipation(server.db, { ...held, pointId: point.id })
  let next = 0
  const enter = (more: object = {}) =>
    call(
      server,
      members.create,
      {
        body: {
          operationId: operation.id,
          participantId: participant.id,
          prm: `3000${String(companyId).padStart(5, '0')}${String(++next).padStart(5, '0')}`,
          direction: 'consumption',
          startsOn: '2025-03-01',
          ...more,
        },
      },
      user,
    )
  return { enter, operation }
}

test('the points of a plan are counted wherever one enters: two at once for the last place, and one of them has it', async () => {
  const user = await onTrial()
  expect((await choose(user, starter)).status).toBe(200)
  const { enter } = await using(user, 49)
  const both = await Promise.all([enter(), enter()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 402])
  const refused = both.find(({ status }) => status === 402)
  expect(refused?.body).toMatchObject({ code: 'points-limit' })
  expect(refused?.body.message).toMatch(
    /^La formule Starter comprend 50 points de mesure\u00a0: 50 sont utilisés, et cet ajout en demanderait 51\./,
  )
  expect((await get(user)).points).toEqual({ used: 50, limit: 50 })
  // One that has left, or leaves no trace today, takes no place; put back, it would.
  const past = await enter({ endsOn: '2025-06-01' })
  expect(past.status).toBe(200)
  const back = {
    startsOn: '2025-03-01',
    endsOn: null,
    noticeOn: null,
    agreementSignedOn: null,
    version: past.body.version,
  }
  expect((await call(server, members.update, { params: { id: past.body.id }, body: back }, user)).body.code).toBe(
    'points-limit',
  )
})

test('what runs goes on above the limit, may leave and be handed on, and only what is new is refused', async () => {
  const user = await onTrial()
  await choose(user, starter)
  const { enter } = await using(user, 52)
  expect((await enter()).status).toBe(402)
  const [one] = await server.db.select().from(participations).where(eq(participations.companyId, user.companyId))
  const heir = await makeParticipant(server.db, { companyId: user.companyId })
  const handed = await call(
    server,
    members.transfer,
    { params: { id: one?.id }, body: { participantId: heir.id, on: '2025-05-01', agreementSignedOn: null } },
    user,
  )
  expect(handed.status).toBe(200)
  const end = {
    startsOn: '2025-05-01',
    endsOn: addDays(today(), 40),
    noticeOn: null,
    agreementSignedOn: null,
    version: handed.body.version,
  }
  expect((await call(server, members.update, { params: { id: handed.body.id }, body: end }, user)).status).toBe(200)
})

test('without a subscription, in the company that keeps the installation, and where none are sold any more, nothing is limited', async () => {
  const free = await makeUser(server.db)
  const site = await makeSiteAdmin(server.db)
  await server.db.insert(subscriptions).values({ companyId: site.companyId, state: 'ended' })
  for (const user of [free, site]) {
    const { enter } = await using(user, 201)
    expect((await enter()).status).toBe(200)
  }
  const bound = await onTrial(-3)
  const { operation } = await using(bound, 0)
  expect(operation.id).toBeTruthy()
  await holdSubscriptions(server.db, false)
  expect((await get(bound)).subscription).toBeNull()
  expect((await call(server, api.auth.me, {}, bound)).body).toMatchObject({ readOnly: false })
  await holdSubscriptions(server.db, true)
  expect((await call(server, api.auth.me, {}, bound)).body).toMatchObject({ readOnly: true })
  // Those who were there before have a whole trial from the day on which subscriptions begin to be sold.
  const late = (await get(free)).subscription
  expect(late).toMatchObject({ state: 'trial', readOnly: false })
  expect(Date.parse(late.trialEndsAt) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})

test('a trial that is over: every write of the table is refused but those that get out of it, and a plan opens it at once', async () => {
  const user = await onTrial(-1)
  const key = await makeApiKey(server.db, user, { permissions: ['operations.create'] })
  const closed = Object.values(api)
    .flatMap((feature) => Object.values(feature))
    .filter(isClosedLapsed)
  expect(closed.length).toBeGreaterThan(150)
  const ids = { id: crypto.randomUUID(), companyId: user.companyId }
  for (const e of closed) {
    const { permission } = typeof e.access === 'object' ? e.access : {}
    // What the company does not hold at all is refused before.
    if (
      !permission ||
      !user.companyId ||
      /^(installation|content|seo|bookings|requests|support\.keep)/.test(permission)
    )
      continue
    const params = Object.fromEntries(
      [...e.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name === 'companyId' ? ids.companyId : ids.id]),
    )
    const answer = await call(server, e, { params, ...(!e.upload && e.body ? { body: {} } : {}) }, user)
    expect({ call: `${e.method} ${e.path}`, code: answer.body.code }).toEqual({
      call: `${e.method} ${e.path}`,
      code: 'read-only',
    })
  }
  expect((await call(server, api.operations.create, { body: {} }, { token: key })).status).toBe(402)
  expect((await call(server, api.operations.list, {}, user)).status).toBe(200)
  expect((await call(server, api.notifications.markAllRead, {}, user)).status).toBe(200)
  expect((await call(server, api.exports.create, { body: {} }, user)).status).toBe(422)
  expect((await choose(user, professional)).status).toBe(200)
  expect((await call(server, api.auth.me, {}, user)).body).toMatchObject({ readOnly: false, trialEndsAt: null })
  expect((await call(server, api.operations.create, { body: {} }, user)).status).toBe(422)
})

test('a larger plan begins today for the difference, by an invoice of the keeper’s own series', async () => {
  const user = await onTrial()
  await choose(user, starter)
  const from = addDays(today(), -12)
  const paid = { paidFrom: from, anchorOn: from, startedOn: from, paidTo: monthsLater(from, 1) }
  await server.db.update(subscriptions).set(paid).where(eq(subscriptions.companyId, user.companyId))
  const quote = (await call(server, subscription.quote, { query: professional }, user)).body
  expect(quote).toMatchObject({ now: true, on: today(), tooMany: 0 })
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
  expect(issued).toMatchObject({ companyId: keeper, operationId: null })
  expect(issued?.number).toMatch(/^ABO\d{4}-\d{5}$/)
  const pdf = await call(server, subscription.pdf, { params: { id: bill.id } }, user)
  expect(pdf.headers['content-type']).toBe('application/pdf')
  const other = await onTrial()
  expect((await call(server, subscription.pdf, { params: { id: bill.id } }, other)).status).toBe(404)
  expect((await call(server, api.invoices.pdf, { params: { id: bill.id } }, user)).status).toBe(404)
  await jobsEnd(server)
  expect((await mailsTo(server, `facture${user.companyId}@exemple.fr`)).length).toBeGreaterThanOrEqual(1)
})

test('a smaller plan waits for the end of what is paid, is kept out where too many points run, and may be taken back', async () => {
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
    const from = monthsLater(today(), -1)
    await server.db
      .update(subscriptions)
      .set({ paidFrom: from, anchorOn: from, paidTo: today() })
      .where(eq(subscriptions.companyId, user.companyId))
    await enqueue(server.db, 'subscription.daily', {})
    await enqueue(server.db, 'subscription.daily', {})
    await jobsEnd(server)
  }
  await end()
  expect((await get(user)).subscription).toMatchObject({
    plan: 'professional',
    next: null,
    state: 'active',
    paidFrom: today(),
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
  expect((await choose(user, starter)).body).toMatchObject({ state: 'active', readOnly: false, startedOn: today() })
})

test('within thirty days all is given back by avoirs of the same engine; after them it is not', async () => {
  const user = await onTrial()
  await choose(user, starter)
  await choose(user, professional)
  const before = (await get(user)).subscription
  expect(before.moneyBackUntil).toBe(addDays(today(), 30))
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
    .set({ startedOn: addDays(today(), -31) })
    .where(eq(subscriptions.companyId, late.companyId))
  const { version } = (await get(late)).subscription
  expect((await call(server, subscription.refund, { body: { version } }, late)).status).toBe(409)
})

test('an option is billed when it is ordered and every month it runs, and ends with what is paid', async () => {
  const user = await onTrial()
  const order = (kind: string, net: number) => call(server, subscription.order, { body: { kind, net } }, user)
  expect((await order('priority', 30_000)).status).toBe(409)
  await choose(user, starter)
  expect((await order('priority', 29_999)).body.code).toBe('stale')
  expect((await order('priority', 30_000)).body).toMatchObject({ state: 'running', paidTo: monthsLater(today(), 1) })
  expect((await order('priority', 30_000)).status).toBe(409)
  const asked = { subject: 'Une clé', body: 'Laquelle choisir\u00a0?', category: 'other', fileIds: [], about: null }
  const ticket = await call(server, api.support.create, { body: asked }, user)
  expect(ticket.status).toBe(200)
  const queue = await call(server, api.supportDesk.queue, { query: {} }, await makeSiteAdmin(server.db))
  expect(queue.body.items.find((one: { id: string }) => one.id === ticket.body.id)).toMatchObject({ priority: 'high' })
  const { id } = (await order('training', 99_000)).body
  const from = monthsLater(today(), -2)
  await server.db.execute(
    sql`update subscription_add_ons set ordered_on = ${from}, paid_to = ${monthsLater(from, 1)} where company_id = ${user.companyId} and kind = 'priority'`,
  )
  await enqueue(server.db, 'subscription.daily', {})
  await jobsEnd(server)
  const bills = (await documents(user)).filter(({ label }: { label: string }) => label === 'Option Support prioritaire')
  expect(bills.map(({ net }: { net: number }) => net)).toEqual([30_000, 30_000, 30_000])
  const [running] = (await get(user)).subscription.addOns.filter(({ kind }: { kind: string }) => kind === 'priority')
  expect(running.paidTo).toBe(monthsLater(from, 3))
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

test('the keeper sees every company, prolongs a trial, and opens the plan without a price list', async () => {
  const site = await makeSiteAdmin(server.db)
  const user = await onTrial(-2)
  const row = async () =>
    (await call(server, subscription.companies, {}, site)).body.items.find(
      ({ companyId }: { companyId: number }) => companyId === user.companyId,
    )
  expect(await row()).toMatchObject({ readOnly: true, plan: null, open: 0 })
  const params = { companyId: user.companyId }
  const extended = await call(
    server,
    subscription.extend,
    { params, body: { lastDay: addDays(today(), 9), version: (await row()).version } },
    site,
  )
  expect(extended.body).toMatchObject({ readOnly: false })
  const grant = { period: 'year', price: 1_200_000, version: extended.body.version }
  expect((await call(server, subscription.grant, { params, body: grant }, site)).body).toMatchObject({
    plan: 'enterprise',
    open: 1_440_000,
    points: { limit: null },
  })
  expect((await get(user)).subscription).toMatchObject({ plan: 'enterprise', price: 1_200_000 })
  expect((await call(server, subscription.companies, {}, user)).status).toBe(403)
})

test('the end of a trial is told at seven, three and one days, once each', async () => {
  const now = Date.parse('2026-06-10T08:00:00Z')
  const left = (hours: number) => warningOf(new Date(now + hours * 3_600_000), now)
  expect([200, 168, 100, 72, 49, 24, 2, 0, -5].map(left)).toEqual([undefined, 7, 7, 3, 3, 1, 1, undefined, undefined])
  const user = await onTrial()
  const told = async (at: number) => {
    await server.db
      .update(companies)
      .set({ trialEndsAt: sql`now() + make_interval(hours => ${at})` })
      .where(eq(companies.id, user.companyId))
    await enqueue(server.db, 'subscription.daily', {})
    await enqueue(server.db, 'subscription.daily', {})
    await jobsEnd(server)
    const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, user.companyId))
    return rows.map(({ title }) => title)
  }
  expect(await told(20 * 24)).toEqual([])
  expect(await told(6 * 24)).toEqual(['Votre essai se termine dans 7\u00a0jours'])
  expect(await told(-1)).toHaveLength(1)
  expect((await mailsTo(server, user.email)).length).toBe(1)
})

test('what is used is read from what is kept, and taken away as a table', async () => {
  const user = await onTrial()
  await using(user, 3)
  await server.db.execute(sql`insert into files (company_id, name, media_type, size, sha256) values
    (${user.companyId}, 'a', 'text/plain', 1700, 'x'), (${user.companyId}, 'b', 'text/plain', 1700, 'x'), (${user.companyId}, 'c', 'text/plain', 23, 'y')`)
  await server.db.execute(
    sql`insert into mail_months (company_id, month, sent) values (${user.companyId}, date_trunc('month', ${today()}::date), 7)`,
  )
  const { body } = await call(server, usage.get, {}, user)
  expect(body.points).toMatchObject({ used: 3, limit: 200, reached: null })
  expect(body.points.months).toHaveLength(13)
  expect([body.points, body.storage, body.mails, body.calls].map(({ months }) => months.at(-1).value)).toEqual([
    3, 1723, 7, 0,
  ])
  const file = await call(server, usage.file, {}, user)
  expect(file.text).toContain('Points de mesure')
  const limited = await makeUser(server.db, { companyId: user.companyId, operationIds: [] })
  expect((await call(server, usage.get, {}, limited)).status).toBe(403)
  expect((await call(server, subscription.get, {}, limited)).status).toBe(403)
})
