import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adoptKey, allocate, makeScene } from '../../../../test/factories-allocations.ts'
import { makeDay } from '../../../../test/factories-curves.ts'
import { jobsEnd } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { markSums, staleSums } from '../../../core/sum-marks.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { snapshot } from '../../../db/snapshot.ts'
import { storeDays } from '../../energy/curves/store.ts'
import { updateParticipation } from '../../energy/participants/participations.ts'
import { type Columns, toSeries } from './buckets.ts'
import { crewsOf } from './crews.ts'
import { partOf } from './hour-pack.ts'
import { keepSums } from './keep-sums.ts'
import { keptSeats, readSeats } from './kept-seats.ts'
import { keptOver } from './kept-sums.ts'
import { membersOfOperations } from './scope.ts'
import { columnsOf, keptColumns } from './series.ts'
import { measured } from './sums.ts'
import { assemble, cutEach, groupsOf, runsOver, totalsOf } from './totals.ts'

const server = useServer()
const DAYS = { from: '2025-03-27', to: '2025-04-03' }
const WIDE = { from: '2025-03-20', to: '2025-04-20' }
const FACTORS = { CO2_GRID_GRAMS: 40, CO2_SOLAR_GRAMS: 30, CO2_SOURCE: 'essai' }
const GRANULARITIES = ['15min', 'hour', 'day', 'month'] as const

type Here = Awaited<ReturnType<typeof scene>>
async function scene() {
  const here = await makeScene(server, { ...DAYS, producers: [(at) => at * 17], consumers: [613, 709] })
  await adoptKey(server, here, { method: 'default' })
  return here
}

/** What the days of the points say, and what is read where sums are kept. */
const both = (here: Here) => snapshot(server.db, (view) => compared(view, here))

async function compared(db: Db, { companyId, operation }: Here) {
  const ids = [operation.id]
  const [members, crews] = [await membersOfOperations(db, companyId, ids), await crewsOf(db, companyId, ids)]
  const cuts = cutEach(members, [DAYS, WIDE])
  const { run } = await runsOver(db, companyId, cuts, [DAYS, WIDE])
  const read = await measured(db, companyId, cuts.flat(), 'whole')
  const kept = await keptOver(db, companyId, crews, [DAYS, WIDE], 'whole', groupsOf(crews))
  const figures = (seats: typeof crews, sums: Parameters<typeof assemble>[1]) =>
    [0, 1].map((nth) => totalsOf(assemble(seats, sums, nth), FACTORS))
  const seats = async (read: typeof readSeats) => [
    [...(await read(db, companyId, members, DAYS))],
    [...(await read(db, companyId, members, WIDE))],
  ]
  const series = async (ask: (granularity: (typeof GRANULARITIES)[number]) => Promise<Columns>) => {
    const all = []
    for (const granularity of GRANULARITIES) all.push(toSeries(await ask(granularity), granularity))
    return all
  }
  return {
    points: [
      figures(members, { read, run }),
      await seats(readSeats),
      await series((unit) => columnsOf(db, companyId, members, WIDE, unit)),
    ],
    kept: [
      figures(crews, kept),
      await seats(keptSeats),
      await series((unit) => keptColumns(db, companyId, crews, WIDE, unit)),
    ],
  }
}

async function move({ companyId, consumers, admin }: Here, nth: number, startsOn: string, endsOn: string | null) {
  const { rows } = await server.db.execute<{ id: string; version: number }>(
    sql`select id, version from participations where company_id = ${companyId} and point_id = ${consumers[nth]?.id}`,
  )
  const [row] = rows
  const actor = { kind: 'person', space: 'office', companyId, userId: admin.id, permissions: [], operationIds: null }
  if (!row) throw new Error('no participation')
  await transaction(server.db, (tx) =>
    // All that these rules ask of whoever acts.
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

async function take(here: Here, step: typeof STEP extends fc.Arbitrary<infer S> ? S : never) {
  const points = [...here.consumers, ...here.producers]
  if (step.kind === 'keep') await keepSums(server.db, here.companyId)
  if (step.kind === 'run') await allocate(server, here, { from: step.day, to: DAYS.to })
  if (step.kind === 'move') await move(here, step.nth, '2025-01-01', step.open ? null : step.day)
  if (step.kind !== 'read') return
  const values = (at: number) => (step.hole && at % 5 === 0 ? -1 : step.watts + at)
  const row = makeDay(points[step.nth]?.id ?? '', step.day, values)
  await storeDays(server.db, here.companyId, [row], { source: 'api', receivedAt: new Date() })
}

test('after any changes, marked or summed again, they are what the days of the points say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 6 }), async (steps) => {
      const here = await scene()
      for (const step of steps) {
        await take(here, step)
        const { points, kept } = await both(here)
        expect(kept).toEqual(points)
      }
      await jobsEnd(server)
      await keepSums(server.db, here.companyId)
      expect(await staleSums(server.db, here.companyId)).toEqual(new Map())
      const { points, kept } = await both(here)
      expect(kept).toEqual(points)
    }),
    { numRuns: process.env.TEST_ALL ? 40 : 3, seed: 7 },
  )
}, 120_000)

test('what is marked while days are summed stays marked', async () => {
  const here = await scene()
  await jobsEnd(server)
  await keepSums(server.db, here.companyId)
  const touched = { operationIds: [here.operation.id], ...DAYS }
  await expect(
    transaction(server.db, async (tx) => {
      await markSums(tx, here.companyId, [touched])
      // Another connection does not see the mark yet, and takes none away.
      await keepSums(server.db, here.companyId)
      expect((await staleSums(tx, here.companyId)).get(here.operation.id)).toEqual([DAYS])
      throw new Error('undone')
    }),
  ).rejects.toThrow('undone')
  expect(await staleSums(server.db, here.companyId)).toEqual(new Map())
})

test('somebody leaves, and is at once no longer in what is read', async () => {
  const here = await scene()
  await allocate(server, here, DAYS)
  await jobsEnd(server)
  await keepSums(server.db, here.companyId)
  const before = (await both(here)).kept
  await move(here, 0, '2025-01-01', '2025-03-30')
  const { points, kept } = await both(here)
  expect(kept).toEqual(points)
  expect(kept).not.toEqual(before)
})

test('of members taken together each is waited for: a day that one alone sent lacks the other’s', async () => {
  const here = await scene()
  const row = makeDay(here.consumers[0]?.id ?? '', DAYS.to, 500)
  await storeDays(server.db, here.companyId, [row], { source: 'api', receivedAt: new Date() })
  await jobsEnd(server)
  await keepSums(server.db, here.companyId)
  const period = { from: DAYS.to, to: addDays(DAYS.to, 1) }
  const crews = await crewsOf(server.db, here.companyId, [here.operation.id])
  expect(crews.map(({ count }) => count)).toContain(2)
  const { marks } = toSeries(await keptColumns(server.db, here.companyId, crews, period, 'day'), 'day')
  expect(marks).toEqual([0])
  const consumers = crews.filter(({ direction }) => direction === 'consumption')
  const alone = await keptColumns(server.db, here.companyId, consumers, period, 'day')
  expect(toSeries(alone, 'day').marks).toEqual([0])
})

test('of hours the columns that are asked for are those of all of them', async () => {
  const here = await scene()
  await allocate(server, here, DAYS)
  await jobsEnd(server)
  await keepSums(server.db, here.companyId)
  const crews = await crewsOf(server.db, here.companyId, [here.operation.id])
  const of = async (parts?: number[]) =>
    toSeries(await keptColumns(server.db, here.companyId, crews, WIDE, 'hour', parts), 'hour')
  const all = await of()
  const some = await of([partOf('consumption', 'local'), partOf('consumption', 'held')])
  expect(some.allocated).toEqual(all.allocated)
  expect(some.marks).toEqual(all.marks)
  expect(all.allocated.some((value) => value !== null && value > 0)).toBe(true)
  expect(some.consumed.every((value) => value === null)).toBe(true)
})
