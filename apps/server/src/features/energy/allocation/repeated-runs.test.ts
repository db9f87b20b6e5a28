import { allocations } from '@voisol/contract/allocations'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestAllocationRun,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { lockInputsShared } from '../../../core/outdated-runs.ts'
import { transaction } from '../../../db/client.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'
import { insertRun } from './allocation-runs.ts'
import { executeRun } from './execute-run.ts'

const server = useServer()
const PERIOD = { from: '2025-05-01', to: '2025-06-01' }

async function createTestScene() {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1_009], consumers: [503, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  return here
}
type Scene = Awaited<ReturnType<typeof createTestScene>>
const correct = (here: Scene, watts: number, db = server.db) =>
  storeReadingsAndNotify(db, here.companyId, [buildCurveDay(here.consumers[0]?.id ?? '', '2025-05-10', watts)], {
    source: 'api',
    receivedAt: new Date(),
  })
const get = async (here: Scene, id: string) =>
  (await call(server, allocations.get, { params: { id } }, { token: here.token })).body

test('returns the existing run for the same input', async () => {
  const here = await createTestScene()
  const first = await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })
  const again = await requestAllocationRun(server, here, { ...PERIOD, kind: 'definitive' })
  expect([again.status, again.body.id]).toEqual([200, first.id])
  expect((await requestAllocationRun(server, here, PERIOD)).body.id).not.toBe(first.id)
})

test('creates one run for twenty requests at once, and reports it to the others', async () => {
  const here = await createTestScene()
  const answers = await Promise.all(Array.from({ length: 20 }, () => requestAllocationRun(server, here, PERIOD)))
  const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.id))
  expect(ids.size).toBe(1)
  const others = answers.filter(({ status }) => status !== 200)
  expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['in-progress']))
})

test('stores the same result once when two workers compute a run at once', async () => {
  const here = await createTestScene()
  const first = await runAllocation(server, here, PERIOD)
  const wanted = { companyId: here.companyId, operationId: here.operation.id, ...PERIOD, estimated: false }
  const twin = await insertRun(server.db, { ...wanted, kind: 'definitive' }, null)
  const ids = { companyId: here.companyId, runId: twin.id }
  await Promise.all([executeRun(server.deps, ids), executeRun(server.deps, ids)])
  await executeRun(server.deps, ids)
  const second = await get(here, twin.id)
  expect(second).toMatchObject({
    status: 'done',
    createdBy: 'Voisol',
    inputHash: first.inputHash,
    resultHash: first.resultHash,
  })
  expect(second.daysInForce).toBe(31)
  expect((await get(here, first.id)).daysInForce).toBe(0)
})

test('marks a run outdated after a correction, notifies administrators, and compares with a new run', async () => {
  const here = await createTestScene()
  const first = await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })
  await correct(here, 101)
  const stale = await get(here, first.id)
  expect(stale).toMatchObject({ status: 'done', staleReason: 'Des relevés de cette période ont changé.' })
  expect(stale.staleAt).not.toBeNull()
  const told = await waitUntil(async () => {
    const { rows } = await server.db.execute(sql`select title from notifications
      where company_id = ${here.companyId} and event_key = ${`allocation-stale ${first.id}`}`)
    return rows[0]
  })
  expect(told.title).toContain('Répartition définitive à refaire')
  const second = await runAllocation(server, here, { ...PERIOD, kind: 'definitive' })
  expect(second.id).not.toBe(first.id)
  expect(second).toMatchObject({ staleAt: null, daysInForce: 31 })
  const { body } = await call(server, allocations.difference, { params: { id: second.id } }, { token: here.token })
  expect(body.previous.id).toBe(first.id)
  const byPoint = new Map(body.items.map((item: { pointId: string }) => [item.pointId, item]))
  const perDay = 96 * 15
  expect(byPoint.get(here.consumers[0]?.id)).toMatchObject({
    // Of 15 135 watt-minutes in a step, 6 281.3 and 8 853.7.
    before: 31 * 96 * 6_281,
    after: 30 * 96 * 6_281 + perDay * 101,
  })
  const steps = { params: { id: first.id, day: '2025-05-10' } }
  const before = await call(server, allocations.steps, steps, { token: here.token })
  const own = before.body.points.find((p: { pointId: string }) => p.pointId === here.consumers[0]?.id)
  expect(own.total[0]).toBe(503 * 15)
  expect(
    (await call(server, allocations.difference, { params: { id: first.id } }, { token: here.token })).body,
  ).toEqual({
    previous: null,
    items: [],
  })
})

test('marks a run outdated when readings change while it runs, and starts another', async () => {
  const here = await createTestScene()
  let id = ''
  await transaction(server.db, async (tx) => {
    await lockInputsShared(tx, here.companyId)
    id = (await requestAllocationRun(server, here, PERIOD)).body.id
    // The run has computed everything and waits for its final input check.
    await waitUntil(async () => {
      const { rows } = await server.db.execute(sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`)
      return rows.length > 0
    })
    await correct(here, 0, tx)
  })
  const run = await waitUntil(async () => {
    const body = await get(here, id)
    return body.status === 'done' && body
  })
  expect(run.staleReason).toBe('Des données ont changé pendant le calcul.')
  const next = await waitUntil(async () => {
    const query = { sort: '-createdAt' }
    const { body } = await call(
      server,
      allocations.list,
      { params: { id: here.operation.id }, query },
      { token: here.token },
    )
    const [latest] = body.items
    return latest.id !== id && latest.status === 'done' && latest
  })
  expect(next).toMatchObject({ kind: 'provisional', staleAt: null, daysInForce: 31 })
})

test('stores the reason when a run cannot be computed', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [1000], consumers: [500] })
  const wanted = { companyId: here.companyId, operationId: here.operation.id, ...PERIOD, estimated: false }
  const { id } = await insertRun(server.db, { ...wanted, kind: 'definitive' }, null)
  await executeRun(server.deps, { companyId: here.companyId, runId: id })
  const run = await call(server, allocations.get, { params: { id } }, { token: here.token })
  expect(run.body).toMatchObject({
    status: 'failed',
    totals: null,
    counts: null,
    message: expect.stringContaining('Aucune clé de répartition n’est en vigueur'),
  })
})

test('hides runs from other companies', async () => {
  const here = await createTestScene()
  const run = await runAllocation(server, here, PERIOD)
  const other = await makeUser(server.db)
  const { token } = other
  const { list, start: begin, get: one, points, days, pairs, difference, proof, steps, coefficients } = allocations
  const params = { id: run.id, day: '2025-05-01', producerId: here.producers[0]?.id ?? '' }
  for (const e of [one, points, days, pairs, difference, proof, steps, coefficients, allocations.export])
    expect([e.path, (await call(server, e, { params }, { token })).status]).toEqual([e.path, 404])
  const operation = { params: { id: here.operation.id } }
  expect((await call(server, list, operation, { token })).status).toBe(404)
  const body = { ...PERIOD, kind: 'provisional' }
  expect((await call(server, begin, { ...operation, body }, { token })).status).toBe(404)
})
