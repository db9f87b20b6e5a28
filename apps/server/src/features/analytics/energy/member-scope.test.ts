import { energy } from '@voisol/contract/energy'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeConsents,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { consents, participants, participations, points } from '../../../db/schema/index.ts'

const server = useServer()
const APRIL = { from: '2025-04-01', to: '2025-05-01' }
const OWN_PERIOD = { from: '2025-04-11', to: '2025-04-21' }

let scene: Awaited<ReturnType<typeof makeOperationFixture>>
let client: Awaited<ReturnType<typeof makeUser>>
let other: Awaited<ReturnType<typeof makeUser>>
const holders = new Map<string, string>()

beforeAll(async () => {
  const watts = [700, 310, 320, 330, 340, 350, 360]
  scene = await makeOperationFixture(server, {
    ...APRIL,
    producers: [1217],
    consumers: watts.map((value, at) =>
      at === 0 ? { watts: value, startsOn: OWN_PERIOD.from, endsOn: OWN_PERIOD.to } : value,
    ),
  })
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, APRIL)
  const rows = await server.db.select().from(participations).where(eq(participations.operationId, scene.operation.id))
  for (const { pointId, participantId } of rows) holders.set(pointId, participantId)
  client = await makeUser(server.db, { companyId: scene.companyId, isAdmin: false })
  other = await makeUser(server.db, { companyId: scene.companyId, isAdmin: false })
  const own = holders.get(scene.consumers[0]?.id ?? '') ?? ''
  await server.db.update(participants).set({ userId: client.id }).where(eq(participants.id, own))
  await server.db
    .update(participants)
    .set({ name: 'Voisinage Secret' })
    .where(
      inArray(
        participants.id,
        [...holders.values()].filter((id) => id !== own),
      ),
    )
})

const get = (e: Parameters<typeof call>[1], query: Record<string, string | undefined>, token = client.token) =>
  call(server, e, { query }, { token })

const READS = [
  [energy.summary, {}],
  [energy.series, { granularity: 'day' }],
  [energy.series, { granularity: 'hour' }],
  [energy.export, { granularity: 'hour', format: 'json' }],
  [energy.heatMap, { measure: 'consumed' }],
  [energy.flow, {}],
] as const

test('lets a client read their own energy during their participation', async () => {
  const { body } = await get(energy.summary, APRIL)
  expect(body.current).toMatchObject({ consumed: 700 * 240, produced: 0, shared: 0 })
  const { body: days } = await get(energy.series, { ...APRIL, granularity: 'day' })
  const known = days.consumed.flatMap((wh: number | null, at: number) => (wh === null ? [] : [at]))
  expect([known[0], known.length]).toEqual([10, 10])
  const { body: hours } = await get(energy.series, { ...APRIL, granularity: 'hour' })
  expect(hours.consumed.filter((wh: number | null) => wh !== null)).toHaveLength(240)
  expect(new Set(hours.produced)).toEqual(new Set([null]))
})

test('includes nothing of a neighbour in any answer', async () => {
  const secrets = [
    'Voisinage',
    ...[...holders.values()].filter((id) => id !== holders.get(scene.consumers[0]?.id ?? '')),
    ...[...scene.producers, ...scene.consumers.slice(1)].flatMap(({ id, prm }) => [id, prm]),
  ]
  // Only whole numbers are matched: digits within an id do not count.
  const figures = [1217, 310, 320, 330, 340, 350, 360].map((watts) => new RegExp(`(?<![\\w-])${watts * 24}(?![\\w-])`))
  for (const [e, more] of READS)
    for (const where of [{}, { operationId: scene.operation.id }]) {
      const { status, text } = await get(e, { ...APRIL, ...more, ...where })
      expect(status).toBe(200)
      for (const secret of secrets) expect(text.includes(secret), `${secret} in ${e.path}`).toBe(false)
      for (const figure of figures) expect(text, e.path).not.toMatch(figure)
    }
  const { text } = await get(energy.bestHours, { operationId: scene.operation.id })
  for (const secret of [...secrets, ...figures]) expect(text).not.toMatch(secret)
})

test('reports a neighbour’s ids as not found', async () => {
  const [, neighbour] = scene.consumers
  const ids = [
    { pointId: neighbour?.id ?? '' },
    { pointId: scene.producers[0]?.id ?? '' },
    { participantId: holders.get(neighbour?.id ?? '') ?? '' },
    { operationId: scene.operation.id, pointId: neighbour?.id ?? '' },
  ]
  for (const [e, more] of READS)
    for (const id of ids) expect((await get(e, { ...APRIL, ...more, ...id })).status).toBe(404)
  const bounds = { startDate: APRIL.from, endDate: APRIL.to }
  for (const id of ids.slice(0, 2)) {
    expect((await get(energy.production, { ...bounds, ...id })).status).toBe(404)
    expect((await get(energy.consumption, { ...bounds, ...id })).status).toBe(404)
  }
})

test('hides an operation the client is not in, and returns nothing without one', async () => {
  const query = { ...APRIL, operationId: scene.operation.id }
  for (const [e, more] of READS) expect((await get(e, { ...query, ...more }, other.token)).status).toBe(404)
  expect((await get(energy.bestHours, { operationId: scene.operation.id }, other.token)).status).toBe(404)
  const { body } = await get(energy.summary, APRIL, other.token)
  expect(body.current.consumed).toBe(0)
})

test('refuses the operation’s production to a consumer', async () => {
  const query = { startDate: '2025-04-12', endDate: '2025-04-13', operationId: scene.operation.id }
  const { body } = await get(energy.production, query)
  expect(body.summary.totalProduction).toBe(0)
  expect(body.data.every((row: { production: null }) => row.production === null)).toBe(true)
})

test('shows a client energy from the operation, and not from whom', async () => {
  const { body } = await get(energy.flow, OWN_PERIOD)
  expect(body.producers).toMatchObject([{ id: scene.operation.id, label: scene.operation.name }])
  expect(body.consumers).toHaveLength(1)
  expect(body.links).toHaveLength(1)
})

test('gives a neighbours’ mean of at least five others who agreed', async () => {
  const [, ...others] = scene.consumers
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours).toBeNull()
  const agreed = await makeConsents(
    server.db,
    scene.companyId,
    others.map(({ id }) => holders.get(id) ?? ''),
  )
  const { body } = await get(energy.summary, OWN_PERIOD)
  // 1 217 W of 2 710 W, in whole per cent.
  expect(body.neighbours).toEqual({ members: 6, selfProduction: 0.45 })
  const { body: whole } = await get(energy.summary, OWN_PERIOD, scene.token)
  expect(whole.neighbours).toBeNull()
  const [first = '', second = ''] = agreed
  await server.db.update(consents).set({ withdrawnAt: new Date() }).where(eq(consents.id, first))
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours.members).toBe(5)
  await server.db.update(consents).set({ expiresOn: '2025-01-01' }).where(eq(consents.id, second))
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours).toBeNull()
})

test('counts no dissimilar neighbour, nor somebody with two contracts twice', async () => {
  const [, ...others] = scene.consumers
  const ids = others.map(({ id }) => holders.get(id) ?? '')
  await server.db.delete(consents)
  await makeConsents(server.db, scene.companyId, ids)
  const [shop = '', twin = '', sister = ''] = ids
  const kindOf = (kind: string) => server.db.update(participants).set({ kind }).where(eq(participants.id, shop))
  const { kind: home = '' } = (await server.db.select().from(participants).where(eq(participants.id, twin)))[0] ?? {}
  await kindOf('organisation')
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours.members).toBe(5)
  await server.db
    .update(participants)
    .set({ userId: other.id })
    .where(inArray(participants.id, [twin, sister]))
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours).toBeNull()
  await kindOf(home)
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours.members).toBe(5)
  const [point] = others
  const segmentOf = (segment: string) =>
    server.db
      .update(points)
      .set({ segment })
      .where(eq(points.id, point?.id ?? ''))
  await segmentOf('C4')
  expect((await get(energy.summary, OWN_PERIOD)).body.neighbours).toBeNull()
  await segmentOf('C5')
  await server.db
    .update(participants)
    .set({ userId: null })
    .where(inArray(participants.id, [twin, sister]))
})

test.each([energy.members, energy.membersExport, energy.operations, energy.producers, energy.attention])(
  'refuses $path to a client',
  async (e) => {
    expect((await get(e, APRIL)).status).toBe(403)
  },
)
