import { allocations } from '@voisol/contract/allocations'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import {
  buildCurveDay,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { getToday } from '../../../today.ts'
import { storeReadingsAndNotify } from '../curves/store-readings.ts'
import { enqueueNightlyRefresh, refreshProvisionalRun } from './refresh-provisional-run.ts'

const server = useServer()
const MONTH = '2025-04-01'

async function createTestScene(from = MONTH, to = addMonths(MONTH, 1)) {
  const here = await makeOperationFixture(server, { from, to, producers: [1_009], consumers: [503, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  return here
}
type Scene = Awaited<ReturnType<typeof createTestScene>>

async function runs({ operation, token }: Scene) {
  return waitUntil(async () => {
    const { body } = await call(server, allocations.list, { params: { id: operation.id } }, { token })
    return body.items.every(({ status }: { status: string }) => status === 'done') && body.items
  })
}
const refresh = (here: Scene, month = MONTH) =>
  refreshProvisionalRun(server.db, { companyId: here.companyId, operationId: here.operation.id, month })
const correct = (here: Scene, watts: number) =>
  storeReadingsAndNotify(server.db, here.companyId, [buildCurveDay(here.consumers[0]?.id ?? '', '2025-04-10', watts)], {
    source: 'api',
    receivedAt: new Date(),
  })

const latest = (here: Scene) =>
  waitUntil(async () => {
    const items = await runs(here)
    return items[0]?.staleAt === null && items
  })

test('refreshes a month only when an input changed, and deletes old runs', async () => {
  const here = await createTestScene()
  await refresh(here)
  await refresh(here)
  expect(await runs(here)).toHaveLength(1)
  for (const watts of [1, 2, 3, 4]) {
    await correct(here, watts)
    await latest(here)
  }
  await refresh(here)
  const kept = await latest(here)
  expect(kept).toHaveLength(3)
  expect(kept[0]).toMatchObject({ kind: 'provisional', daysInForce: 30, staleAt: null, createdBy: 'Voisol' })
  expect(kept.slice(1).map(({ staleReason }: { staleReason: string }) => staleReason)).toEqual(
    Array(2).fill('Des relevés de cette période ont changé.'),
  )
})

test('keeps a definitive run in force when a provisional one shows a change', async () => {
  const here = await createTestScene()
  const definitive = await runAllocation(server, here, { from: MONTH, to: addMonths(MONTH, 1), kind: 'definitive' })
  await refresh(here)
  expect(await runs(here)).toHaveLength(1)
  await correct(here, 0)
  await refresh(here)
  const [latest, first] = await runs(here)
  expect(latest).toMatchObject({ kind: 'provisional', daysInForce: 0 })
  expect(first).toMatchObject({ id: definitive.id, daysInForce: 30 })
})

test('covers the current month until yesterday, and repairs lost jobs every night', async () => {
  const month = monthOf(getToday())
  const here = await createTestScene(addMonths(month, -1), getToday())
  await enqueueNightlyRefresh(server.db)
  const expected = getToday() === month ? 1 : 2
  const found = await waitUntil(async () => {
    const items = await runs(here)
    return items.length === expected && items
  })
  const periods = found.map(({ from, to }: { from: string; to: string }) => `${from} ${to}`).sort()
  expect(periods).toEqual(
    [`${addMonths(month, -1)} ${month}`, ...(expected === 2 ? [`${month} ${getToday()}`] : [])].sort(),
  )
  await server.db.execute(sql`insert into allocation_runs
    (company_id, operation_id, starts_on, ends_on, kind, status, engine_version, created_at)
    values (${here.companyId}, ${here.operation.id}, ${addDays(month, -3)}, ${addDays(month, -1)}, 'provisional',
      'running', '', now() - interval '1 day')`)
  await enqueueNightlyRefresh(server.db)
  expect(await runs(here)).toHaveLength(expected + 1)
})
