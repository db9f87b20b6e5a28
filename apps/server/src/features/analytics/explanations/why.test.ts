import { energy } from '@voisol/contract/energy'
import { why } from '@voisol/contract/why'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeConsents,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participants, participations } from '../../../db/schema/index.ts'

const server = useServer()
/** The end of a March whose Sunday 30 has 23 hours. */
const DAYS = { from: '2025-03-25', to: '2025-04-01' }
const HOURS = 7 * 24 - 1
/** Quarter-hours with sun, counted from midnight. */
const sunny = (at: number) => at >= 40 && at < 64

type Consumers = Parameters<typeof makeOperationFixture>[1]['consumers']
async function createTestScene(consumers: Consumers, key: (ids: string[]) => Parameters<typeof requestKeyAdoption>[2]) {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [(at) => (sunny(at) ? 2_003 : 0)], consumers })
  await requestKeyAdoption(server, here, key(here.consumers.map(({ id }) => id)))
  await runAllocation(server, here, DAYS)
  const [seat] = await server.db
    .select()
    .from(participations)
    .where(eq(participations.pointId, here.consumers[0]?.id ?? ''))
  return { ...here, participantId: seat?.participantId ?? '', operationId: here.operation.id }
}
type Scene = Awaited<ReturnType<typeof createTestScene>>
const ask = ({ participantId, operationId }: Scene, token: string, month = '2025-03-01') =>
  call(server, why.get, { params: { id: participantId }, query: { operationId, month } }, { token })
const buildFixedShares = (ids: string[]) => ({
  method: 'static',
  shares: ids.map((pointId, n) => ({ pointId, share: n === 0 ? 400_000 : 100_000 })),
})

test('gives the figure of the members’ list with parts that add up', async () => {
  const here = await createTestScene([600, 900, 900, 900, 900, 900], buildFixedShares)
  const { body, status } = await ask(here, here.token)
  expect(status).toBe(200)
  const query = { operationId: here.operationId, from: '2025-03-01', to: '2025-04-01' }
  const { body: list } = await call(server, energy.members, { query }, here)
  const row = list.items.find(({ participantId }: { participantId: string }) => participantId === here.participantId)
  expect([body.totals.consumed, body.totals.allocated]).toEqual([row.total, row.local])
  expect(body.totals.consumed).toBe(600 * HOURS)
  // Six hours of sun a day: 800 W are reserved, of which 600 are consumed.
  expect(body.share).toMatchObject({ offered: 801.2 * 42, used: 600 * 42, sunlit: 600 * 42 })
  expect(body.share.unused).toBeCloseTo(201.2 * 42, 3)
  expect(body.share.sunlitShare).toBeCloseTo(42 / HOURS, 9)
  expect(body.share.hours).toEqual({ producing: 42, surplus: 42, short: 0 })
  expect(body.keys).toEqual([
    { number: 1, method: 'static', label: '', from: DAYS.from, to: DAYS.to, share: 400_000, rank: null },
  ])
  expect(body.presence).toEqual({ days: 31, of: 31, spans: [{ from: '2025-03-01', to: '2025-04-01' }] })
  expect(body.readings).toMatchObject({ steps: HOURS * 4, measured: HOURS * 4, missing: 0, gaps: [] })
})

/** Records everybody's consent to be compared. */
async function allAgree({ companyId }: Scene) {
  const people = await server.db.select().from(participants).where(eq(participants.companyId, companyId))
  await makeConsents(
    server.db,
    companyId,
    people.map(({ id }) => id),
  )
}

test('shows the median neighbour from five people on in whole figures, and none with four', async () => {
  const many = await createTestScene([600, 300, 400, 500, 700, 5_000], () => ({ method: 'equal' }))
  expect((await ask(many, many.token)).body.neighbours).toBeNull()
  await allAgree(many)
  const { neighbours } = (await ask(many, many.token)).body
  expect(neighbours.members).toBe(5)
  // 2 003 W over six members: the one of 500 W got 333.8 W over 42 hours, in whole kWh.
  expect(neighbours.local).toBe(14_000)
  expect(neighbours.selfProduction).toBe(0.17)
  const few = await createTestScene([600, 300, 400, 500, 700], () => ({ method: 'equal' }))
  await allAgree(few)
  expect((await ask(few, few.token)).body.neighbours).toBeNull()
})

test('reports gaps with their days, and includes them in no sum', async () => {
  const here = await createTestScene([{ watts: 600, silent: (day) => day === '2025-03-27' }, 900], () => ({
    method: 'default',
  }))
  const { body } = await ask(here, here.token)
  expect(body.readings).toMatchObject({ missing: 96, gaps: [{ from: '2025-03-27', to: '2025-03-28', steps: 96 }] })
  expect(body.share.sunlit).toBe(600 * 36)
  expect(body.totals.consumed).toBe(600 * (HOURS - 24))
})

test('splits equally among present members, so a silent neighbour leaves more', async () => {
  const silent = { watts: 900, silent: (day: string) => day === '2025-03-27' }
  const here = await createTestScene([600, silent], () => ({ method: 'equal' }))
  const { body } = await ask(here, here.token)
  // Six days of halves and one whole day, in quarter-hours of 30 045 Wmin; an odd unit is lost.
  expect(body.share.offered).toBe((15_022 * 144 + 30_045 * 24) / 60)
})

test('reserves nothing under a priority key, and reports a month without a run', async () => {
  const here = await createTestScene([600, 900], (ids) => ({
    method: 'priority',
    shares: ids.map((pointId, n) => ({ pointId, rank: n + 1 })),
  }))
  const { body } = await ask(here, here.token)
  expect(body.share).toMatchObject({ offered: null, unused: null, used: 600 * 42 })
  expect(body.keys[0]).toMatchObject({ share: null, rank: 1 })
  expect((await ask(here, here.token, '2025-02-01')).body).toMatchObject({ runs: [], keys: [], share: null })
  expect((await ask(here, here.token, '2999-02-01')).status).toBe(422)
})

test('shows only one’s own figure in the portal, and nobody’s elsewhere', async () => {
  const here = await createTestScene([600, 900], () => ({ method: 'default' }))
  const own = await makeUser(server.db, { companyId: here.companyId, role: 'client' })
  const other = await makeUser(server.db, { companyId: here.companyId, role: 'client' })
  await server.db.update(participants).set({ userId: own.id }).where(eq(participants.id, here.participantId))
  expect((await ask(here, own.token)).status).toBe(200)
  expect((await ask(here, other.token)).status).toBe(404)
  expect((await ask(here, (await makeUser(server.db)).token)).status).toBe(404)
})
