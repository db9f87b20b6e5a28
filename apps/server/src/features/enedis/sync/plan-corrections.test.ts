import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  toParisInstant as at,
  createTestClock,
  makeSyncFixture,
  runCredentialUntil,
  type SyncFixture,
  useEnedisSimulator,
  useTestPlatform,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { distributorQuantities, events, pointLinks, syncTasks, syncWindows } from '../../../db/schema/index.ts'
import { planDailySync } from './plan-sync.ts'
import { startSyncTask } from './start-task.ts'

const platform = useTestPlatform({ LOG_LEVEL: 'error' })
const sandbox = useEnedisSimulator()
const plan = (now: Date) => planDailySync(platform.deps, { now: () => now, sleep: async () => {} })

async function make(meters = 2, from = '2026-01-01') {
  const world = await makeSyncFixture(
    platform.deps,
    sandbox,
    Array.from({ length: meters }, () => ({})),
    { from },
  )
  const points = world.points.map(({ prm }) => ({ prm, role: 'cons', startsOn: from, endsOn: null }))
  const acc = world.operation.accNumber
  await sandbox.control('PUT', 'agreements', [{ acc, name: 'Essai', startsOn: from, endsOn: null, points }])
  return { world, clock: createTestClock(sandbox) }
}
type Made = Awaited<ReturnType<typeof make>>

const againOf = (world: SyncFixture) =>
  world.deps.db
    .select()
    .from(syncTasks)
    .where(
      and(eq(syncTasks.companyId, world.companyId), eq(syncTasks.kind, 'definitive'), eq(syncTasks.trigger, 'weekly')),
    )
    .orderBy(syncTasks.createdAt, syncTasks.from)
const months = async (world: SyncFixture) =>
  (await againOf(world)).map(({ createdAt, from }) => `${createdAt.toISOString().slice(0, 10)} ${from}`)
const windowsOf = (world: SyncFixture, taskId: string) =>
  world.deps.db
    .select()
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, world.companyId), eq(syncWindows.taskId, taskId)))
/** The minutes between the planning and the start of each call. */
async function waitsOf(world: SyncFixture): Promise<number[]> {
  const waits: number[] = []
  for (const { id, createdAt } of await againOf(world))
    for (const { nextAt } of await windowsOf(world, id)) waits.push((nextAt.getTime() - createdAt.getTime()) / 60_000)
  return waits
}
const listQuantityEvents = async (world: SyncFixture) => {
  const rows = await world.deps.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, world.companyId), eq(events.name, 'quantities.received')))
    .orderBy(events.id)
  return rows.map(({ data }) => data)
}
const currentOf = (world: SyncFixture, pointId: string) =>
  world.deps.db
    .select()
    .from(distributorQuantities)
    .where(
      and(
        eq(distributorQuantities.companyId, world.companyId),
        eq(distributorQuantities.pointId, pointId),
        eq(distributorQuantities.from, '2026-10-01'),
        eq(distributorQuantities.type, 'cons'),
        isNull(distributorQuantities.supersededAt),
      ),
    )

async function live({ world, clock }: Made, day: string) {
  await clock.at(at(day, 8, 5))
  await plan(clock.now())
  await runCredentialUntil(world, clock, at(addDays(day, 1), 7))
}
type AskOptions = { from: string; to: string; trigger: 'backfill' | 'manual'; pointIds?: string[] }
const ask = ({ world, clock }: Made, more: AskOptions) =>
  transaction(world.deps.db, (tx) =>
    startSyncTask(tx, world.deps, {
      companyId: world.companyId,
      operationId: world.operation.id,
      kind: 'definitive',
      pointIds: [],
      createdBy: null,
      now: clock.now(),
      ...more,
    }),
  )

/** Simulates an answer of the distributor without a call. */
const answered = async ({ deps, companyId, operation, points: [point] }: SyncFixture, from: string) => {
  const what = { type: 'cons', calendar: 'DISTRIB', name: 'HPB', wh: 4000, source: 'api' }
  const when = { from, to: addMonths(from, 1), receivedAt: at('2026-10-21', 7) }
  const whose = { companyId, operationId: operation.id, pointId: point?.id ?? '' }
  await deps.db.insert(distributorQuantities).values({ ...whose, ...when, ...what })
}

test('a correction of a received month arrives within a week and is notified once', async () => {
  const made = await make()
  const { world } = made
  const [one] = world.points
  await live(made, '2026-11-02')
  const before = await currentOf(world, one?.id ?? '')
  expect(before.length).toBeGreaterThan(0)
  const known = (await listQuantityEvents(world)).length
  const more = listDays('2026-10-05', '2026-10-15').map((day) => ({
    prm: one?.prm,
    direction: 'consumption',
    day,
    watts: Array.from({ length: 96 }, () => 9000),
    from: at('2026-11-03', 0).toISOString(),
  }))
  await sandbox.control('PUT', 'readings', more)
  for (const day of listDays('2026-11-03', '2026-11-09')) await live(made, day)
  expect(await months(world)).toEqual([])
  await live(made, '2026-11-09')
  expect(await months(world)).toEqual(['2026-11-09 2026-10-01'])
  const after = await currentOf(world, one?.id ?? '')
  const sum = (rows: typeof after) => rows.reduce((all, { wh }) => all + wh, 0)
  expect(sum(after)).toBeGreaterThan(sum(before))
  expect((await listQuantityEvents(world)).slice(known)).toMatchObject([{ from: '2026-10-01', to: '2026-11-01' }])
  await live(made, '2026-11-16')
  expect(await months(world)).toHaveLength(2)
  expect(await listQuantityEvents(world)).toHaveLength(known + 1)
})

test('requests recent months weekly and older ones every fourth week, two a day and fourteen in all', async () => {
  const made = await make(1, '2025-01-01')
  const { world, clock } = made
  await clock.at(at('2026-10-21', 7))
  await ask(made, { from: '2025-06-01', to: '2026-10-01', trigger: 'backfill' })
  for (let month = '2025-06-01'; month < '2026-11-01'; month = addMonths(month, 1)) await answered(world, month)
  for (const day of listDays('2026-10-21', '2026-12-01')) {
    await plan(at(day, 8, 5))
    await plan(at(day, 8, 15))
    await world.deps.db
      .update(syncWindows)
      .set({ status: 'done', finishedAt: at(day, 12) })
      .where(eq(syncWindows.companyId, world.companyId))
  }
  const asked = (await againOf(world)).map(({ createdAt, from }) => ({
    day: createdAt.toISOString().slice(0, 10),
    from,
  }))
  const perDay = [...Map.groupBy(asked, ({ day }) => day).values()].map((list) => list.length)
  expect(Math.max(...perDay)).toBe(2)
  const of = (month: string) => asked.filter(({ from }) => from === month).map(({ day }) => day)
  expect(of('2026-09-01').length).toBeGreaterThanOrEqual(5)
  expect(of('2026-03-01')).toHaveLength(1)
  expect(of('2026-03-01')[0] ?? '').toMatch(/^2026-11-(18|19|2\d)$/)
  expect(asked.map(({ from }) => from).sort()[0]).toBe(addMonths('2026-11-01', -14))
  const waits = await waitsOf(world)
  expect(waits.length).toBeGreaterThan(20)
  expect(Math.max(...waits)).toBeLessThan(180)
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(60)
})

test('the calls of a month start together within the spread, and planning again adds nothing', async () => {
  const made = await make(3)
  const { world } = made
  await live(made, '2026-11-02')
  const now = at('2026-11-09', 8, 5)
  for (let time = 0; time < 3; time++) await plan(now)
  const [task, ...others] = await againOf(world)
  expect(others).toEqual([])
  const windows = await windowsOf(world, task?.id ?? '')
  expect(windows).toHaveLength(3)
  const starts = [...new Set(windows.map(({ nextAt }) => nextAt.getTime()))]
  expect(starts).toHaveLength(1)
  expect(starts[0]).toBeGreaterThanOrEqual(now.getTime())
  expect(starts[0]).toBeLessThan(now.getTime() + 3 * 3_600_000)
})

test('leaves out blocked points, and requests a point that never answered for a limited time only', async () => {
  const made = await make(3)
  const { world } = made
  const [one, two, three] = world.points
  const path = 'definitive_active_energy'
  await sandbox.control('PUT', 'faults', [
    { kind: 'no-data', path, prm: two?.prm, to: at('2026-11-21', 0).toISOString() },
  ])
  await live(made, '2026-11-02')
  await world.deps.db
    .insert(pointLinks)
    .values({ companyId: world.companyId, pointId: three?.id ?? '', blockedAt: at('2026-11-03', 8) })
    .onConflictDoUpdate({
      target: [pointLinks.companyId, pointLinks.pointId],
      set: { blockedAt: at('2026-11-03', 8) },
    })
  await plan(at('2026-11-09', 8, 5))
  const [first] = await againOf(world)
  expect((await windowsOf(world, first?.id ?? '')).map(({ subject }) => subject)).toEqual([one?.prm])
  for (const day of ['2026-11-20', '2026-11-27']) await live(made, day)
  const last = (await againOf(world)).at(-1)
  const subjects = (await windowsOf(world, last?.id ?? '')).map(({ subject }) => subject)
  expect(subjects.sort()).toEqual([one?.prm, two?.prm].sort())
  expect((await currentOf(world, two?.id ?? '')).length).toBeGreaterThan(0)
  await sandbox.control('DELETE', 'faults')
})

test('a manual request of one point does not postpone the month; one of all points does', async () => {
  const made = await make(2)
  const { world, clock } = made
  await live(made, '2026-11-02')
  const asked = async (pointIds: string[], day: string) => {
    await clock.at(at(day, 9))
    await ask(made, { from: '2026-10-01', to: '2026-11-01', trigger: 'manual', pointIds })
    await runCredentialUntil(world, clock, at(addDays(day, 1), 7))
  }
  await asked([world.points[0]?.id ?? ''], '2026-11-08')
  await live(made, '2026-11-09')
  expect(await months(world)).toEqual(['2026-11-09 2026-10-01'])
  await asked([], '2026-11-15')
  await live(made, '2026-11-16')
  expect(await months(world)).toHaveLength(1)
  await live(made, '2026-11-22')
  expect(await months(world)).toEqual(['2026-11-09 2026-10-01', '2026-11-22 2026-10-01'])
})
