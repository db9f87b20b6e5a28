import { api } from '@voisol/contract'
import { participations as members } from '@voisol/contract/points'
import { subscription } from '@voisol/contract/subscription'
import { usage } from '@voisol/contract/usage'
import { addDays } from '@voisol/money/days'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeParticipant } from '../../../../test/factories-energy.ts'
import { useSubscriptionHelpers } from '../../../../test/factories-portal.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { listMailsTo } from '../../../../test/mails.ts'
import { useServer } from '../../../../test/server.ts'
import { enforceSubscriptions } from '../../../core/plan.ts'
import { companies, notifications, participations, points, subscriptions } from '../../../db/schema/index.ts'
import { isBlockedWhenLapsed } from '../../../http/authorize.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import { getTrialWarning } from './jobs.ts'

const server = useServer({ SUBSCRIPTIONS: 'on' })
const { onTrial, get, choose, starter, professional, using } = useSubscriptionHelpers(server)

test('of two points that enter at once for the last place of a plan, one is refused', async () => {
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
  // A point that has left, or has no data today, takes no place; reactivated, it would.
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

test('above the limit, existing points continue, leave and change holder, and only new ones are refused', async () => {
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
    endsOn: addDays(getToday(), 40),
    noticeOn: null,
    agreementSignedOn: null,
    version: handed.body.version,
  }
  expect((await call(server, members.update, { params: { id: handed.body.id }, body: end }, user)).status).toBe(200)
  // The point keeps its place when a new participant takes it over.
  const [point] = await server.db
    .select()
    .from(points)
    .where(eq(points.id, one?.pointId ?? ''))
  expect((await enter({ prm: point?.prm, startsOn: end.endsOn })).status).toBe(200)
  expect((await get(user)).points).toEqual({ used: 52, limit: 50 })
})

test('nothing is limited without a subscription, for the operator, and where none are sold', async () => {
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
  await enforceSubscriptions(server.db, false)
  expect((await get(bound)).subscription).toBeNull()
  expect((await call(server, api.auth.me, {}, bound)).body).toMatchObject({ readOnly: false })
  await enforceSubscriptions(server.db, true)
  expect((await call(server, api.auth.me, {}, bound)).body).toMatchObject({ readOnly: true })
  // Older companies have a full trial from the day on which subscriptions are first sold.
  const late = (await get(free)).subscription
  expect(late).toMatchObject({ state: 'trial', readOnly: false })
  expect(Date.parse(late.trialEndsAt) - Date.now()).toBeGreaterThan(29 * 86_400_000)
})

test('after a trial every write is refused except those that end it, and a plan allows them at once', async () => {
  const user = await onTrial(-1)
  const key = await makeApiKey(server.db, user, { permissions: ['operations.create'] })
  const closed = Object.values(api)
    .flatMap((feature) => Object.values(feature))
    .filter(isBlockedWhenLapsed)
  expect(closed.length).toBeGreaterThan(150)
  const ids = { id: crypto.randomUUID(), companyId: user.companyId }
  for (const e of closed) {
    const { permission } = typeof e.access === 'object' ? e.access : {}
    // Routes that the company has no access to are refused earlier.
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

test('the operator lists every company, extends a trial, and grants the plan without a list price', async () => {
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
    { params, body: { lastDay: addDays(getToday(), 9), version: (await row()).version } },
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

test('warns of the end of a trial seven, three and one days before, once each', async () => {
  const now = Date.parse('2026-06-10T08:00:00Z')
  const left = (hours: number) => getTrialWarning(new Date(now + hours * 3_600_000), now)
  expect([200, 168, 100, 72, 49, 24, 2, 0, -5].map(left)).toEqual([undefined, 7, 7, 3, 3, 1, 1, undefined, undefined])
  const user = await onTrial()
  const told = async (at: number) => {
    await server.db
      .update(companies)
      .set({ trialEndsAt: sql`now() + make_interval(hours => ${at})` })
      .where(eq(companies.id, user.companyId))
    await enqueue(server.db, 'subscription.daily', {})
    await enqueue(server.db, 'subscription.daily', {})
    await waitForJobs(server)
    const rows = await server.db.select().from(notifications).where(eq(notifications.companyId, user.companyId))
    return rows.map(({ title }) => title)
  }
  expect(await told(20 * 24)).toEqual([])
  expect(await told(6 * 24)).toEqual(['Votre essai se termine dans 7\u00a0jours'])
  expect(await told(-1)).toHaveLength(1)
  expect((await listMailsTo(server, user.email)).length).toBe(1)
})

test('usage is computed from stored data and can be exported as a table', async () => {
  const user = await onTrial()
  await using(user, 3)
  await server.db.execute(sql`insert into files (company_id, name, media_type, size, sha256) values
    (${user.companyId}, 'a', 'text/plain', 1700, 'x'), (${user.companyId}, 'b', 'text/plain', 1700, 'x'), (${user.companyId}, 'c', 'text/plain', 23, 'y')`)
  await server.db.execute(
    sql`insert into mail_months (company_id, month, sent) values (${user.companyId}, date_trunc('month', ${getToday()}::date), 7)`,
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
