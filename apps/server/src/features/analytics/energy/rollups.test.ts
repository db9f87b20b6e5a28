import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildCurveDay,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { listStaleRollups, markRollupsStale } from '../../../core/stale-rollups.ts'
import { type Db, readSnapshot, transaction } from '../../../db/client.ts'
import { storeReadingsAndNotify } from '../../energy/curves/store-readings.ts'
import { updateParticipation } from '../../energy/participants/change-participations.ts'
import { type EnergyColumns, toEnergySeries } from './energy-columns.ts'
import { loadMemberColumns, loadRollupColumns } from './energy-series.ts'
import { loadReadingSums } from './energy-sums.ts'
import {
  buildMemberPeriodsByPeriod,
  buildOperationFigures,
  computeEnergyTotals,
  createPeriodGroupResolver,
  loadRunSumsByPeriod,
} from './energy-totals.ts'
import { listMembersOfOperations, listParticipationGroupsOfOperations } from './member-scope.ts'
import { loadParticipationSums, readParticipationRollups } from './participation-rollups.ts'
import { readRollups } from './rollup-read.ts'
import { refreshRollups } from './rollup-write.ts'
import { getHourPart } from './step-rollups.ts'

const server = useServer()
const DAYS = { from: '2025-03-27', to: '2025-04-03' }
const WIDE = { from: '2025-03-20', to: '2025-04-20' }
const FACTORS = { CO2_GRID_GRAMS: 40, CO2_SOLAR_GRAMS: 30, CO2_SOURCE: 'essai' }
const GRANULARITIES = ['15min', 'hour', 'day', 'month'] as const

type TestScene = Awaited<ReturnType<typeof createTestScene>>
async function createTestScene() {
  const here = await makeOperationFixture(server, { ...DAYS, producers: [(at) => at * 17], consumers: [613, 709] })
  await requestKeyAdoption(server, here, { method: 'default' })
  return here
}

/** Compares sums from daily rows with those from rollups. */
const compareInOneSnapshot = (here: TestScene) =>
  readSnapshot(server.db, (view) => compareRollupsWithReadings(view, here))

async function compareRollupsWithReadings(db: Db, { companyId, operation }: TestScene) {
  const ids = [operation.id]
  const [members, crews] = [
    await listMembersOfOperations(db, companyId, ids),
    await listParticipationGroupsOfOperations(db, companyId, ids),
  ]
  const cuts = buildMemberPeriodsByPeriod(members, [DAYS, WIDE])
  const { run } = await loadRunSumsByPeriod(db, companyId, cuts, [DAYS, WIDE])
  const read = await loadReadingSums(db, companyId, cuts.flat(), 'whole')
  const kept = await readRollups(db, companyId, crews, [DAYS, WIDE], 'whole', createPeriodGroupResolver(crews))
  const figures = (seats: typeof crews, sums: Parameters<typeof buildOperationFigures>[1]) =>
    [0, 1].map((nth) => computeEnergyTotals(buildOperationFigures(seats, sums, nth), FACTORS))
  const seats = async (read: typeof loadParticipationSums) => [
    [...(await read(db, companyId, members, DAYS))],
    [...(await read(db, companyId, members, WIDE))],
  ]
  const series = async (ask: (granularity: (typeof GRANULARITIES)[number]) => Promise<EnergyColumns>) => {
    const all = []
    for (const granularity of GRANULARITIES) all.push(toEnergySeries(await ask(granularity), granularity))
    return all
  }
  return {
    points: [
      figures(members, { read, run }),
      await seats(loadParticipationSums),
      await series((unit) => loadMemberColumns(db, companyId, members, WIDE, unit)),
    ],
    kept: [
      figures(crews, kept),
      await seats(readParticipationRollups),
      await series((unit) => loadRollupColumns(db, companyId, crews, WIDE, unit)),
    ],
  }
}

async function move({ companyId, consumers, admin }: TestScene, nth: number, startsOn: string, endsOn: string | null) {
  const { rows } = await server.db.execute<{ id: string; version: number }>(
    sql`select id, version from participations where company_id = ${companyId} and point_id = ${consumers[nth]?.id}`,
  )
  const [row] = rows
  const actor = { kind: 'person', space: 'office', companyId, userId: admin.id, permissions: [], operationIds: null }
  if (!row) throw new Error('no participation')
  await transaction(server.db, (tx) =>
    // Only these fields of the actor are read.
    updateParticipation(tx, actor as unknown as Parameters<typeof updateParticipation>[1], row.id, {
      startsOn,
      endsOn,
      version: row.version,
    } as Parameters<typeof updateParticipation>[3]),
  )
}

const days = fc.integer({ min: 0, max: 6 }).map((n) => addDays(DAYS.from, n))
const STEP = fc.oneof(
  fc.record({
    kind: fc.constant('read' as const),
    nth: fc.integer({ min: 0, max: 2 }),
    day: days,
    watts: fc.integer({ min: 0, max: 3_000 }),
    hole: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('run' as const), day: days }),
  fc.record({ kind: fc.constant('move' as const), nth: fc.integer({ min: 0, max: 1 }), day: days, open: fc.boolean() }),
  fc.record({ kind: fc.constant('keep' as const) }),
)

async function applyStep(here: TestScene, step: typeof STEP extends fc.Arbitrary<infer S> ? S : never) {
  const points = [...here.consumers, ...here.producers]
  if (step.kind === 'keep') await refreshRollups(server.db, here.companyId)
  if (step.kind === 'run') await runAllocation(server, here, { from: step.day, to: DAYS.to })
  if (step.kind === 'move') await move(here, step.nth, '2025-01-01', step.open ? null : step.day)
  if (step.kind !== 'read') return
  const values = (at: number) => (step.hole && at % 5 === 0 ? -1 : step.watts + at)
  const row = buildCurveDay(points[step.nth]?.id ?? '', step.day, values)
  await storeReadingsAndNotify(server.db, here.companyId, [row], { source: 'api', receivedAt: new Date() })
}

test('equal the daily rows after any changes, whether marked or recomputed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 6 }), async (steps) => {
      const here = await createTestScene()
      for (const step of steps) {
        await applyStep(here, step)
        const { points, kept } = await compareInOneSnapshot(here)
        expect(kept).toEqual(points)
      }
      await waitForJobs(server)
      await refreshRollups(server.db, here.companyId)
      expect(await listStaleRollups(server.db, here.companyId)).toEqual(new Map())
      const { points, kept } = await compareInOneSnapshot(here)
      expect(kept).toEqual(points)
    }),
    { numRuns: process.env.TEST_ALL ? 40 : 3, seed: 7 },
  )
})

test('keeps a mark added while days are summed', async () => {
  const here = await createTestScene()
  await waitForJobs(server)
  await refreshRollups(server.db, here.companyId)
  const touched = { operationIds: [here.operation.id], ...DAYS }
  await expect(
    transaction(server.db, async (tx) => {
      await markRollupsStale(tx, here.companyId, [touched])
      // Another connection does not see the mark yet, and must not delete it.
      await refreshRollups(server.db, here.companyId)
      expect((await listStaleRollups(tx, here.companyId)).get(here.operation.id)).toEqual([DAYS])
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await listStaleRollups(server.db, here.companyId)).toEqual(new Map())
})

test('excludes a member from rollups as soon as they leave', async () => {
  const here = await createTestScene()
  await runAllocation(server, here, DAYS)
  await waitForJobs(server)
  await refreshRollups(server.db, here.companyId)
  const before = (await compareInOneSnapshot(here)).kept
  await move(here, 0, '2025-01-01', '2025-03-30')
  const { points, kept } = await compareInOneSnapshot(here)
  expect(kept).toEqual(points)
  expect(kept).not.toEqual(before)
})

test('treats a day as incomplete until all grouped members have sent it', async () => {
  const here = await createTestScene()
  const row = buildCurveDay(here.consumers[0]?.id ?? '', DAYS.to, 500)
  await storeReadingsAndNotify(server.db, here.companyId, [row], { source: 'api', receivedAt: new Date() })
  await waitForJobs(server)
  await refreshRollups(server.db, here.companyId)
  const period = { from: DAYS.to, to: addDays(DAYS.to, 1) }
  const crews = await listParticipationGroupsOfOperations(server.db, here.companyId, [here.operation.id])
  expect(crews.map(({ count }) => count)).toContain(2)
  const { marks } = toEnergySeries(await loadRollupColumns(server.db, here.companyId, crews, period, 'day'), 'day')
  expect(marks).toEqual([0])
  const consumers = crews.filter(({ direction }) => direction === 'consumption')
  const alone = await loadRollupColumns(server.db, here.companyId, consumers, period, 'day')
  expect(toEnergySeries(alone, 'day').marks).toEqual([0])
})

test('reads the requested hourly columns as in all columns', async () => {
  const here = await createTestScene()
  await runAllocation(server, here, DAYS)
  await waitForJobs(server)
  await refreshRollups(server.db, here.companyId)
  const crews = await listParticipationGroupsOfOperations(server.db, here.companyId, [here.operation.id])
  const of = async (parts?: number[]) =>
    toEnergySeries(await loadRollupColumns(server.db, here.companyId, crews, WIDE, 'hour', parts), 'hour')
  const all = await of()
  const some = await of([getHourPart('consumption', 'local'), getHourPart('consumption', 'held')])
  expect(some.allocated).toEqual(all.allocated)
  expect(some.marks).toEqual(all.marks)
  expect(all.allocated.some((value) => value !== null && value > 0)).toBe(true)
  expect(some.consumed.every((value) => value === null)).toBe(true)
})
