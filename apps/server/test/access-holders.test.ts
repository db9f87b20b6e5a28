import { endpoints } from '@voisol/contract'
import { closure } from '@voisol/contract/closure'
import { consents as agreements } from '@voisol/contract/consents'
import type { Endpoint } from '@voisol/contract/endpoint'
import { holders, MAX_HOLDERS } from '@voisol/contract/holders'
import { invoices } from '@voisol/contract/invoices'
import { points } from '@voisol/contract/points'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { consents, memberships, notifications, participants, participations, users } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/index.ts'
import { eraseDueParticipants } from '../src/features/portal/erasure/index.ts'
import { getToday } from '../src/today.ts'
import { buildValidInput, formatEndpoint } from './access-bodies.ts'
import { call } from './client.ts'
import { makeUser, PASSWORD } from './factories.ts'
import { buildCurveDay, makeConsents } from './factories-energy.ts'
import { issueMonthDocuments, makeMonthFixture } from './factories-invoices.ts'
import { waitForJobs } from './jobs.ts'
import { useServer } from './server.ts'

const server = useServer()
type Who = { token: string }

/** A household with two holders, a meter, an invoice and a consent; another person of the company has nothing. */
async function home() {
  const { db } = server
  const admin = await makeUser(db)
  const { companyId } = admin
  const person = () => makeUser(db, { companyId, isAdmin: false })
  const [first, second, stranger] = [await person(), await person(), await person()]
  const world = await makeMonthFixture(db, { companyId, userId: first.id })
  const { participant, point } = world.people[0] ?? {}
  if (!participant || !point) throw new Error('nobody')
  const days = [buildCurveDay(point.id, '2026-05-04', 700), buildCurveDay(point.id, '2026-05-09', 900)]
  await storeReadingsAndNotify(db, companyId, days, { source: 'api', receivedAt: new Date() })
  await makeConsents(db, companyId, [participant.id], 'collection')
  const [free = ''] = await makeConsents(db, companyId, [participant.id], 'advice')
  const add = (email = second.email, who: Who = admin, id = participant.id) =>
    call(server, holders.add, { params: { id }, body: { email, firstName: 'Noé', lastName: 'Brisson' } }, who)
  const remove = (userId = second.id, who: Who = admin) =>
    call(server, holders.remove, { params: { id: participant.id, userId } }, who)
  return { companyId, admin, first, second, stranger, world, participant, point, free, add, remove }
}
type Home = Awaited<ReturnType<typeof home>>

/** Personal endpoints, whose answers differ between holders. */
const OWN_ENDPOINTS = [
  'GET /api/applications/own',
  'GET /api/notifications/preferences',
  'GET /api/own/tokens',
  'GET /api/portal/changes',
  'GET /api/support/choices',
  'GET /api/support/tickets',
]
/** Endpoints for which the household of this test has data, so that the loop does not compare empty answers only. */
const ENDPOINTS_WITH_DATA = [
  'GET /api/points',
  'GET /api/consents',
  'GET /api/energy/consumption',
  'GET /api/energy/summary',
  'GET /api/energy/series',
  'GET /api/energy/heat-map',
  'GET /api/energy/flow',
  'GET /api/forecasts/best-hours',
  'GET /api/invoices',
  'GET /api/invoices/annual',
  'GET /api/own/figures',
  'GET /api/mandates',
  'GET /api/supplier-bills',
  'GET /api/portal/closure',
  'GET /api/portal/departures',
]
const isPortal = ({ access, method, params, response }: Endpoint) =>
  typeof access === 'object' && access.portal === true && method === 'GET' && !params && !('file' in response)
/** Required parameters: the month with data, under both names. */
const MAY = { from: '2026-05-01', to: '2026-06-01', startDate: '2026-05-01', endDate: '2026-06-01', year: '2026' }
function buildQuery(e: Endpoint, buyerId: string): Record<string, string> {
  const known: Record<string, string> = { ...MAY, buyerId, measure: 'consumed', ...buildValidInput(e).query }
  const asked = Object.keys(e.query?.shape ?? {}).filter((key) => key in known && !e.query?.shape[key]?.isOptional())
  return Object.fromEntries(asked.map((key) => [key, known[key] ?? '']))
}
const read = async (e: Endpoint, { token }: Who, buyerId: string) => {
  const { status, body } = await call(server, e, { query: buildQuery(e, buyerId) }, { token })
  return { status, body: { ...body, requestId: '' } }
}

test('a joint holder reads in the portal what the first holder does, and nothing once removed', async () => {
  const { first, second, stranger, world, participant, add, remove } = await home()
  await issueMonthDocuments(server.db, world)
  await waitForJobs(server)
  const calls = endpoints.filter((e) => isPortal(e) && !OWN_ENDPOINTS.includes(formatEndpoint(e)))
  const answers = async (who: Who) =>
    Object.fromEntries(
      await Promise.all(calls.map(async (e) => [formatEndpoint(e), await read(e, who, participant.id)] as const)),
    )
  const [shown, nothing] = [await answers(first), await answers(stranger)]
  const telling = Object.keys(shown).filter((each) => JSON.stringify(shown[each]) !== JSON.stringify(nothing[each]))
  expect(Object.keys(shown).filter((each) => shown[each]?.status === 422)).toEqual([])
  expect(telling).toEqual(ENDPOINTS_WITH_DATA)
  expect(await answers(second)).toEqual(nothing)
  expect((await add()).status).toBe(200)
  // Neither is told of what only the last holder may end.
  expect(await answers(second)).toEqual(await answers(first))
  expect((await remove()).status).toBe(200)
  expect(await answers(second)).toEqual(nothing)
  expect(await answers(first)).toEqual(shown)
})

test('a joint holder is not found by id from another company', async () => {
  const { first, second, stranger, point, world, participant, add, remove } = await home()
  const { ids } = await issueMonthDocuments(server.db, world)
  const seen = async (who: Who) => [
    (await call(server, points.get, { params: { id: point.id } }, who)).status,
    (await call(server, invoices.get, { params: { id: ids[0] } }, who)).status,
    (await call(server, invoices.get, { params: { id: ids[1] } }, who)).status,
  ]
  await add()
  expect(await seen(first)).toEqual([200, 200, 404])
  expect(await seen(second)).toEqual([200, 200, 404])
  expect(await seen(stranger)).toEqual([404, 404, 404])
  const other = await makeUser(server.db)
  expect((await add('x@exemple.fr', other)).status).toBe(404)
  expect((await remove(second.id, other)).status).toBe(404)
  expect((await call(server, holders.list, { params: { id: participant.id } }, other)).status).toBe(404)
  expect((await add('x@exemple.fr', first)).status).toBe(403)
  expect((await remove()).status).toBe(200)
  expect(await seen(second)).toEqual([404, 404, 404])
  expect((await remove()).status).toBe(404)
})

test('a joint holder is invited once, and the number of holders is limited', async () => {
  const { admin, first, participant, add } = await home()
  expect((await add(first.email)).status).toBe(422)
  const [made, again] = [await add('noe@exemple.fr'), await add('NOE@exemple.fr')]
  expect([made.status, again.status]).toEqual([200, 200])
  expect(again.body.items).toMatchObject([{ name: 'Noé Brisson', email: 'noe@exemple.fr', status: 'invited' }])
  for (let nth = 1; nth < MAX_HOLDERS; nth += 1) expect((await add(`noe${nth}@exemple.fr`)).status).toBe(200)
  expect((await add('trop@exemple.fr')).status).toBe(422)
  const listed = await call(server, holders.list, { params: { id: participant.id } }, admin)
  expect(listed.body.items).toHaveLength(MAX_HOLDERS)
  const told = await server.db.select().from(notifications).where(eq(notifications.userId, first.id))
  expect(told.filter(({ title }) => /cotitulaire/.test(title))).toHaveLength(MAX_HOLDERS)
  // There is no joint holder without a first one.
  await server.db.update(participants).set({ userId: null }).where(eq(participants.id, participant.id))
  expect((await add('seul@exemple.fr')).status).toBe(409)
})

test('each holder signs in their own name, and each is notified of an invoice', async () => {
  const { companyId, first, second, participant, world, add } = await home()
  await add()
  const text = (await call(server, agreements.list, {}, second)).body.texts.find(
    ({ purpose }: { purpose: string }) => purpose === 'comparison',
  )
  const body = {
    purpose: 'comparison',
    textVersion: text?.version,
    method: 'portal',
    givenOn: getToday(),
    expiresOn: Temporal.PlainDate.from(getToday()).add({ years: 1 }).toString(),
  }
  const given = await call(server, agreements.give, { params: { id: participant.id }, body }, second)
  expect([given.status, given.body.method]).toEqual([200, 'portal'])
  const [kept] = await server.db.select().from(consents).where(eq(consents.id, given.body.id))
  expect(kept?.recordedBy).toBe(second.email)
  await issueMonthDocuments(server.db, world)
  await waitForJobs(server)
  const told = await server.db.select().from(notifications).where(eq(notifications.companyId, companyId))
  const bills = told.filter(({ category }) => category === 'billing').map(({ userId }) => userId)
  expect(bills.sort()).toEqual([first.id, second.id].sort())
})

const agreed = async ({ free }: Home) =>
  (await server.db.select().from(consents).where(eq(consents.id, free)))[0]?.withdrawnAt ?? null
const fetchPointStatus = async ({ point }: Home, who: Who) =>
  (await call(server, points.get, { params: { id: point.id } }, who)).status
const close = (who: Who) => call(server, closure.close, { body: { password: PASSWORD, erase: true } }, who)

test.each(['first', 'second'] as const)('when the %s of two leaves, the other keeps the household', async (leaver) => {
  const here = await home()
  const stays = leaver === 'first' ? here.second : here.first
  await here.add()
  expect((await call(server, closure.look, {}, here[leaver])).body.agreements).toBe(0)
  expect((await close(here[leaver])).status).toBe(200)
  expect([await fetchPointStatus(here, here[leaver]), await fetchPointStatus(here, stays), await agreed(here)]).toEqual(
    [401, 200, null],
  )
  const [row] = await server.db.select().from(participants).where(eq(participants.id, here.participant.id))
  // The remaining holder becomes the first: the organiser sees them, and may add or remove others.
  expect([row?.erasureAskedOn, row?.userId]).toEqual([null, stays.id])
  const listed = await call(server, holders.list, { params: { id: here.participant.id } }, here.admin)
  expect(listed.body.items).toEqual([])
  // When the last holder leaves, revocable consents end.
  expect((await call(server, closure.look, {}, stays)).body.agreements).toBe(1)
  expect((await close(stays)).status).toBe(200)
  expect(await agreed(here)).not.toBeNull()
})

test('erasing a household deletes both accounts, except one that holds another participant', async () => {
  for (const elsewhere of [false, true]) {
    const here = await home()
    const { companyId, second, participant, world } = here
    await here.add()
    const other = world.people[1]?.participant.id ?? ''
    if (elsewhere) await server.db.update(participants).set({ userId: second.id }).where(eq(participants.id, other))
    const left = { endsOn: '2025-02-01' }
    await server.db.update(participations).set(left).where(eq(participations.participantId, participant.id))
    await server.db.update(participants).set({ erasureAskedOn: getToday() }).where(eq(participants.id, participant.id))
    await eraseDueParticipants(server.db, companyId)
    const place = and(eq(memberships.companyId, companyId), eq(memberships.userId, second.id))
    const [row] = await server.db.select().from(memberships).where(place)
    expect(row?.disabledAt === null).toBe(elsewhere)
    const [account] = await server.db.select().from(users).where(eq(users.id, second.id))
    expect(account?.email === second.email).toBe(elsewhere)
    expect(await fetchPointStatus(here, second)).toBe(elsewhere ? 404 : 401)
    expect(await fetchPointStatus(here, here.first)).toBe(401)
  }
})
