import { visits } from '@voisol/contract/visits'
import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeTicket } from '../../../../test/access-relationship.ts'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { buildCurveDay, makeMeter, makeOperationFixture } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { keys, participants, participations, portalVisits, ticketMessages } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../../energy/curves/store-readings.ts'

const server = useServer()
const HOUR = 3_600_000
const DAYS = { from: '2025-04-01', to: '2025-04-04' }
let scene: Awaited<ReturnType<typeof makeOperationFixture>>
let client: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  scene = await makeOperationFixture(server, { ...DAYS, producers: [900], consumers: [400, 500] })
  client = await makeUser(server.db, { companyId: scene.companyId, isAdmin: false })
  const own = await holderOf(scene.consumers[0]?.id ?? '')
  await server.db.update(participants).set({ userId: client.id }).where(eq(participants.id, own))
})

async function holderOf(pointId: string) {
  const [row] = await server.db.select().from(participations).where(eq(participations.pointId, pointId))
  return row?.participantId ?? ''
}
const read = async (token = client.token) => (await call(server, visits.changes, {}, { token })).body
const begin = (token = client.token) => call(server, visits.begin, {}, { token })
const mine = () => and(eq(portalVisits.companyId, scene.companyId), eq(portalVisits.userId, client.id))
const stored = async () => (await server.db.select().from(portalVisits).where(mine()))[0]
/** As if the visit had begun so many hours ago. */
const ago = (hours: number) =>
  server.db
    .update(portalVisits)
    .set({ beganAt: new Date(Date.now() - hours * HOUR) })
    .where(mine())

test('a first visit has nothing before it; the next ones tell since when', async () => {
  expect(await read()).toEqual({ since: null, fresh: true, items: [] })
  expect((await begin()).status).toBe(200)
  expect(await read()).toEqual({ since: null, fresh: false, items: [] })
  await ago(3)
  await begin()
  expect((await stored())?.beforeAt).toBeNull()
  await ago(5)
  const began = (await stored())?.beganAt
  expect(await read()).toMatchObject({ since: began?.toISOString(), fresh: true })
  await begin()
  expect((await stored())?.beforeAt).toEqual(began)
  expect(await read()).toMatchObject({ since: began?.toISOString(), fresh: false })
})

test('what is new is one’s own: days that came, were corrected, and answers', async () => {
  await ago(5)
  expect((await read()).items).toContainEqual({ kind: 'readings', count: 3, day: '2025-04-03' })
  const [own, theirs] = scene.consumers
  const store = (pointId: string, day: string, watts: number) =>
    storeReadingsAndNotify(server.db, scene.companyId, [buildCurveDay(pointId, day, watts)], {
      source: 'api',
      receivedAt: new Date(),
    })
  await store(own?.id ?? '', '2025-04-02', 450)
  await store(theirs?.id ?? '', '2025-04-03', 550)
  const ticket = await makeTicket(server, client)
  const words = { companyId: scene.companyId, ticketId: ticket.id, author: 'Voisol', body: 'Voici.' }
  await server.db.insert(ticketMessages).values([
    { ...words, side: 'asker' as const },
    { ...words, side: 'desk' as const, heldFrom: 'inconnu@exemple.fr' },
  ])
  expect((await read()).items).toEqual([
    { kind: 'readings', count: 2, day: '2025-04-03' },
    { kind: 'corrected', count: 1, day: '2025-04-02' },
  ])
  await server.db.insert(ticketMessages).values({ ...words, side: 'desk' })
  expect((await read()).items).toContainEqual({ kind: 'answers', count: 1, day: null })
})

test('neighbours who came or left are counted once, and nothing is told of days before', async () => {
  await ago(24 * 30)
  const { companyId, operation } = scene
  const add = (startsOn: string, endsOn?: string) =>
    makeMeter(server.db, { companyId, operationId: operation.id, startsOn, ...(endsOn && { endsOn }) })
  await add(addDays(getToday(), -3))
  await add(addDays(getToday(), -40))
  await add(addDays(getToday(), 3))
  await add(addDays(getToday(), -90), addDays(getToday(), -2))
  const adopted = { companyId, operationId: operation.id, method: 'default', status: 'adopted' }
  await server.db.insert(keys).values([
    { ...adopted, number: 901, startsOn: addDays(getToday(), -5) },
    { ...adopted, number: 902, startsOn: addDays(getToday(), 5) },
    { ...adopted, number: 903, status: 'draft', startsOn: addDays(getToday(), -4) },
  ])
  const { items } = await read()
  expect(items.filter(({ kind }: { kind: string }) => ['joined', 'left', 'key'].includes(kind))).toEqual([
    { kind: 'key', count: 1, day: addDays(getToday(), -5) },
    { kind: 'joined', count: 1, day: addDays(getToday(), -3) },
    { kind: 'left', count: 1, day: addDays(getToday(), -2) },
  ])
})

test('somebody who has left hears nothing of those who stay', async () => {
  const [own] = scene.consumers
  const seat = eq(participations.pointId, own?.id ?? '')
  await server.db
    .update(participations)
    .set({ endsOn: addDays(getToday(), -10) })
    .where(seat)
  const { items } = await read()
  expect(items.map(({ kind }: { kind: string }) => kind)).not.toContain('joined')
  expect(items.map(({ kind }: { kind: string }) => kind)).not.toContain('key')
  // What the meter says once another holds it is theirs.
  const late = [buildCurveDay(own?.id ?? '', addDays(getToday(), -2), 300)]
  await storeReadingsAndNotify(server.db, scene.companyId, late, { source: 'api', receivedAt: new Date() })
  const days = (await read()).items.find(({ kind }: { kind: string }) => kind === 'readings')
  expect(days?.day).not.toBe(addDays(getToday(), -2))
  await server.db.update(participations).set({ endsOn: null }).where(seat)
})

test('another client has visits of their own', async () => {
  const other = await makeUser(server.db, { companyId: scene.companyId, isAdmin: false })
  expect(await read(other.token)).toEqual({ since: null, fresh: true, items: [] })
})
