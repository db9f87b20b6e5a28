import { addDays } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  toParisInstant as at,
  createTestClock,
  makeSyncFixture,
  runCredentialUntil,
  type SyncFixture,
  summarizeStoredReadings,
  deliverAndListNotifications as toldOf,
  useEnedisSimulator,
  useTestPlatform,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { consents, participations, pointLinks, syncTasks, syncWindows } from '../../../db/schema/index.ts'
import { recordAllExpiries } from './expiry-warnings.ts'
import { planDailySync } from './plan-sync.ts'
import { startSyncTask } from './start-task.ts'

const platform = useTestPlatform({ LOG_LEVEL: 'error' })
const sandbox = useEnedisSimulator()
const plan = (now: Date) => planDailySync(platform.deps, { now: () => now, sleep: async () => {} })
const make = (number = 1, from = '2026-01-01') =>
  makeSyncFixture(
    platform.deps,
    sandbox,
    Array.from({ length: number }, () => ({})),
    { from },
  )
const tasksOf = (world: SyncFixture) =>
  world.deps.db.select().from(syncTasks).where(eq(syncTasks.companyId, world.companyId)).orderBy(syncTasks.createdAt)
const windowsOf = (world: SyncFixture, kind = 'load-curve') =>
  world.deps.db
    .select()
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, world.companyId), eq(syncWindows.kind, kind)))
    .orderBy(syncWindows.from)
const listMessages = async (world: SyncFixture) => (await toldOf(world)).map(({ message }) => message)

describe('the daily sync', () => {
  test('is planned once, after its hour, for all unknown days', async () => {
    const world = await make(1, '2026-10-01')
    await plan(at('2026-10-22', 7, 59))
    expect(await tasksOf(world)).toEqual([])
    for (const minute of [0, 10, 20]) await plan(at('2026-10-22', 8, minute))
    expect(await tasksOf(world)).toMatchObject([
      { kind: 'load-curve', trigger: 'weekly', from: '2026-10-01', to: '2026-10-22' },
    ])
    expect((await windowsOf(world)).map(({ from, to }) => [from, to])).toEqual([
      ['2026-10-01', '2026-10-05'],
      ['2026-10-05', '2026-10-12'],
      ['2026-10-12', '2026-10-19'],
      ['2026-10-19', '2026-10-22'],
    ])
  })

  test('requests the last three days and gaps, and everything a week after the last full sync', async () => {
    const world = await make(1, '2026-10-01')
    const [point] = world.points
    const clock = createTestClock(sandbox)
    await sandbox.control('PUT', 'readings', [
      {
        prm: point?.prm,
        direction: 'consumption',
        day: '2026-10-14',
        watts: null,
        from: at('2026-10-24', 6).toISOString(),
      },
    ])
    const spans = async (day: string) => {
      const before = (await windowsOf(world)).length
      await clock.at(at(day, 8, 1))
      await plan(clock.now())
      await runCredentialUntil(world, clock, at(addDays(day, 1), 8))
      const all = await world.deps.db
        .select()
        .from(syncWindows)
        .where(eq(syncWindows.companyId, world.companyId))
        .orderBy(syncWindows.nextAt, syncWindows.from)
      return all
        .filter(({ kind }) => kind === 'load-curve')
        .slice(before)
        .map(({ from, to }) => `${from} ${to}`)
    }
    await spans('2026-10-22')
    expect(await spans('2026-10-23')).toEqual(['2026-10-14 2026-10-15', '2026-10-20 2026-10-23'])
    expect(await spans('2026-10-24')).toEqual(['2026-10-14 2026-10-15', '2026-10-21 2026-10-24'])
    expect(await spans('2026-10-25')).toEqual(['2026-10-22 2026-10-25'])
    // No sync ran on the 29th.
    expect(await spans('2026-10-30')).toHaveLength(5)
    expect(await spans('2026-10-31')).toEqual(['2026-10-28 2026-10-31'])
    expect(await summarizeStoredReadings(world.deps, world.companyId)).toMatchObject({ days: 30 })
    const [link] = await world.deps.db.select().from(pointLinks).where(eq(pointLinks.companyId, world.companyId))
    expect(link).toMatchObject({ samples: 6, arrivalMean: 491 })
  })

  test('runs again when late readings are usually available', async () => {
    const world = await make()
    const [point] = world.points
    const clock = createTestClock(sandbox)
    await world.deps.db
      .insert(pointLinks)
      .values({ companyId: world.companyId, pointId: point?.id ?? '', samples: 9, arrivalMean: 690, arrivalSpread: 30 })
    const late = {
      prm: point?.prm,
      direction: 'consumption',
      day: '2026-10-28',
      watts: null,
      from: at('2026-10-29', 12).toISOString(),
    }
    await sandbox.control('PUT', 'readings', [late])
    for (const [hour, expected] of [
      [8, 1],
      [12, 1],
      [13, 2],
      [14, 2],
    ] as const) {
      await clock.at(at('2026-10-29', hour))
      await plan(clock.now())
      await runCredentialUntil(world, clock, at('2026-10-29', hour, 30))
      expect({ hour, tasks: (await tasksOf(world)).length }).toEqual({ hour, tasks: expected })
    }
    expect((await tasksOf(world)).map(({ trigger }) => trigger)).toEqual(['weekly', 'gap'])
  })

  test('a day that is still requested does not count as a full sync', async () => {
    const world = await make(1, '2026-09-01')
    const clock = createTestClock(sandbox)
    const never = at('2027-01-01', 0).toISOString()
    const [point] = world.points
    const missing = { prm: point?.prm, direction: 'consumption', day: '2026-09-24', watts: null, from: never }
    await sandbox.control('PUT', 'readings', [missing])
    const counts: number[] = []
    for (const day of ['2026-10-21', '2026-10-22', '2026-10-27', '2026-10-28', '2026-10-29']) {
      const before = (await windowsOf(world)).length
      await clock.at(at(day, 8, 1))
      await plan(clock.now())
      await runCredentialUntil(world, clock, at(day, 23))
      counts.push((await windowsOf(world)).length - before)
    }
    expect(counts.map((count) => count >= 5)).toEqual([true, false, false, true, false])
  })

  test('leaves out calls under way, and creates no task without calls', async () => {
    const world = await make(2, '2026-10-01')
    const [one] = world.points
    const ask = ({ deps, companyId, operation }: SyncFixture, pointIds: string[]) =>
      transaction(deps.db, (tx) =>
        startSyncTask(tx, deps, {
          companyId,
          operationId: operation.id,
          kind: 'load-curve',
          pointIds,
          trigger: 'manual',
          createdBy: null,
          from: '2026-10-01',
          to: '2026-10-22',
          now: at('2026-10-22', 7),
        }),
      )
    await ask(world, [one?.id ?? ''])
    await plan(at('2026-10-22', 8))
    expect(await tasksOf(world)).toMatchObject([{ trigger: 'manual' }, { trigger: 'weekly', points: 1 }])
    expect((await windowsOf(world)).map(({ status }) => status)).toEqual(Array(8).fill('waiting'))
    const other = await make(1, '2026-10-01')
    await ask(other, [])
    for (const minute of [0, 10, 20]) await plan(at('2026-10-22', 8, minute))
    expect(await tasksOf(other)).toMatchObject([{ trigger: 'manual' }])
  })

  test('leaves out blocked points, and retries a doubtful refusal once', async () => {
    const world = await make(2)
    const [moved, lost] = world.points
    const clock = createTestClock(sandbox)
    await sandbox.control('PUT', 'consents', [
      { prm: moved?.prm, state: 'moved' },
      { prm: lost?.prm, state: 'withdrawn' },
    ])
    const asked: string[][] = []
    for (const day of ['2026-10-28', '2026-10-29', '2026-10-30', '2026-10-31']) {
      const before = new Set((await windowsOf(world)).map(({ id }) => id))
      await clock.at(at(day, 8, 5))
      await plan(clock.now())
      await runCredentialUntil(world, clock, at(addDays(day, 1), 8))
      const news = (await windowsOf(world)).filter(({ id }) => !before.has(id))
      asked.push([...new Set(news.map(({ subject }) => subject))].sort())
    }
    expect(asked.map((list) => list.length)).toEqual([2, 0, 1, 0])
    expect(asked[2]).toEqual([moved?.prm])
    expect((await listMessages(world)).filter((text) => text.includes('n’interroge plus'))).toHaveLength(2)
  })
})

describe('the past month', () => {
  test('is requested until it has been received', async () => {
    const world = await make(2)
    const [one, two] = world.points
    const clock = createTestClock(sandbox)
    const acc = world.operation.accNumber
    const points = [one, two].map((point) => ({ prm: point?.prm, role: 'cons', startsOn: '2026-01-01', endsOn: null }))
    await sandbox.control('PUT', 'agreements', [{ acc, name: 'Essai', startsOn: '2026-01-01', endsOn: null, points }])
    await sandbox.control('PUT', 'faults', [{ kind: 'no-data', path: 'definitive_active_energy', times: 1 }])
    for (const day of ['2026-11-02', '2026-11-03', '2026-11-04']) {
      await clock.at(at(day, 8, 5))
      await plan(clock.now())
      await runCredentialUntil(world, clock, at(addDays(day, 1), 8))
    }
    const windows = await windowsOf(world, 'definitive')
    expect(windows.map(({ from, to }) => `${from} ${to}`)).toEqual(Array(3).fill('2026-10-01 2026-11-01'))
    expect(await windowsOf(world, 'agreement-series')).toHaveLength(2)
    expect(await windowsOf(world, 'perimeter')).toHaveLength(1)
  })
})

describe('the end of a consent', () => {
  test('is notified sixty, thirty and seven days before, once each', async () => {
    const world = await make(2)
    const [one, two] = await world.deps.db
      .select()
      .from(participations)
      .where(eq(participations.companyId, world.companyId))
    const given = { purpose: 'collection', textVersion: '2026-01', method: 'paper', recordedBy: 'Camille' }
    const { companyId } = world
    await world.deps.db.insert(consents).values([
      {
        companyId,
        participantId: one?.participantId ?? '',
        ...given,
        givenAt: new Date('2024-01-02'),
        expiresOn: '2026-11-30',
      },
      {
        companyId,
        participantId: two?.participantId ?? '',
        ...given,
        givenAt: new Date('2024-01-02'),
        expiresOn: '2026-11-30',
      },
      {
        companyId,
        participantId: two?.participantId ?? '',
        ...given,
        givenAt: new Date('2026-09-02'),
        expiresOn: '2029-09-01',
      },
    ])
    await world.deps.db.insert(pointLinks).values({ companyId, pointId: two?.pointId ?? '', accessUntil: '2026-12-10' })
    const counts: number[] = []
    for (const day of [
      '2026-09-30',
      '2026-10-01',
      '2026-10-02',
      '2026-10-31',
      '2026-11-01',
      '2026-11-23',
      '2026-11-23',
      '2026-12-02',
    ]) {
      await recordAllExpiries(platform.deps, { now: () => at(day, 9), sleep: async () => {} })
      counts.push((await listMessages(world)).filter((text) => text.includes('se termine')).length)
    }
    expect(counts).toEqual([0, 1, 1, 3, 3, 5, 5, 5])
  })
})
