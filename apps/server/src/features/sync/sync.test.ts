import { addDays, dayStart, stepsOfDay } from '@voisol/energy/calendar'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  makeClock,
  makeWorld,
  runUntil,
  storedOf,
  type TestClock,
  usePlatform,
  useSandbox,
  type World,
} from '../../../test/factories-sync.ts'
import { transaction } from '../../db/client.ts'
import { notifications, pointLinks, syncErrors, syncWindows } from '../../db/schema/index.ts'
import { readCurves } from '../curves/read.ts'
import { resumePoint } from './block.ts'
import { runCredential } from './run.ts'
import { startTask, type Wanted } from './start.ts'
import { cancelTask, retryTask } from './task-changes.ts'
import { getTask } from './task-view.ts'

const platform = usePlatform()
const sandbox = useSandbox()
const NOW = '2026-10-28T09:00:00Z'
let clock: TestClock
beforeEach(async () => {
  await sandbox.control('DELETE', 'faults')
  clock = makeClock(sandbox)
  await clock.at(NOW)
})

const make = (number = 1) =>
  makeWorld(
    platform.deps,
    sandbox,
    Array.from({ length: number }, () => ({})),
  )
const start = (world: World, more: Partial<Wanted> = {}) =>
  transaction(world.deps.db, (tx) =>
    startTask(tx, world.deps, {
      ...{ companyId: world.companyId, operationId: world.operation.id, kind: 'load-curve', pointIds: [] },
      ...{ from: '2026-10-19', to: '2026-10-26', trigger: 'manual', createdBy: null, now: clock.now() },
      ...more,
    }),
  )
const taskOf = (world: World, id: string) => getTask(world.deps.db, world.actor, id)
const windowsOf = (world: World, taskId: string) =>
  world.deps.db
    .select()
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, world.companyId), eq(syncWindows.taskId, taskId)))
const errorsOf = (world: World) =>
  world.deps.db.select().from(syncErrors).where(eq(syncErrors.companyId, world.companyId))
const told = (world: World) =>
  world.deps.db.select().from(notifications).where(eq(notifications.companyId, world.companyId))
const calls = async (): Promise<number> => (await sandbox.control('GET', 'state')).counters.calls ?? 0
const later = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000)
const faults = (...list: object[]) => sandbox.control('PUT', 'faults', list)

describe('a synchronisation', () => {
  test('stores days of 92, 96 and 100 quarters, and the same again changes nothing', async () => {
    const world = await make(2)
    const id = await start(world)
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({
      ...{ status: 'succeeded', progress: 100, message: '14 journées ajoutées.' },
      counts: { windows: 2, done: 2, failed: 0, calls: 2, newDays: 14, readings: 2 * (6 * 96 + 100) },
    })
    const [point] = world.points
    const days = (await readCurves(world.deps.db, world.companyId, [point?.id ?? ''], '2026-10-19', '2026-10-26')).get(
      point?.id ?? '',
    )
    expect(days?.map(({ watts }) => watts.length)).toEqual([96, 96, 96, 96, 96, 96, 100])
    const before = await storedOf(world.deps, world.companyId)
    const again = await start(world)
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, again)).toMatchObject({
      message: '14 journées déjà connues.',
      counts: { sameDays: 14, newDays: 0 },
    })
    expect(await storedOf(world.deps, world.companyId)).toEqual(before)
  })

  test('in flight already is not asked for twice', async () => {
    const world = await make()
    const first = await start(world)
    const second = await start(world)
    expect(await taskOf(world, second)).toMatchObject({
      status: 'succeeded',
      message: expect.stringContaining('1 appel déjà en cours'),
    })
    const from = await calls()
    await runCredential(world.deps, world.job, { clock })
    expect((await calls()) - from).toBeLessThanOrEqual(2)
    expect(await taskOf(world, first)).toMatchObject({ status: 'succeeded' })
  })

  test('of another span is cut at the same boundaries', async () => {
    const world = await make()
    const id = await start(world, { from: '2026-10-07', to: '2026-10-28' })
    expect((await windowsOf(world, id)).map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      ...['2026-10-07 2026-10-12', '2026-10-12 2026-10-19', '2026-10-19 2026-10-26', '2026-10-26 2026-10-28'],
    ])
    await transaction(world.deps.db, (tx) => cancelTask(tx, world.actor, id, clock.now()))
    expect(await taskOf(world, id)).toMatchObject({ status: 'cancelled' })
  })

  test('keeps the other kinds where they belong', async () => {
    const world = await make(2)
    const acc = world.operation.accNumber
    const seats = world.points.map(({ prm }, at) => ({
      prm,
      role: at ? 'cons' : 'prod',
      startsOn: '2026-01-01',
      endsOn: null,
    }))
    const [producer, consumer] = world.points
    await sandbox.control('PUT', 'points', [{ prm: producer?.prm, direction: 'production', from: '2024-06-01' }])
    await sandbox.control('PUT', 'agreements', [
      { acc, name: 'Essai', startsOn: '2026-01-01', endsOn: null, points: seats },
    ])
    const only = [consumer?.id ?? '']
    for (const kind of ['perimeter', 'daily-energy', 'agreement-series', 'definitive'] as const) {
      const id = await start(world, {
        kind,
        from: '2026-09-01',
        to: '2026-10-01',
        pointIds: kind === 'perimeter' ? [] : only,
      })
      await runCredential(world.deps, world.job, { clock })
      expect(await taskOf(world, id)).toMatchObject({ kind, status: 'succeeded', counts: { failed: 0 } })
    }
    const count = async (table: string) =>
      Number(
        (await world.deps.db.$client.query(`select count(*) from ${table} where company_id = $1`, [world.companyId]))
          .rows[0].count,
      )
    expect(await count('distributor_perimeters')).toBe(2)
    expect(await count('distributor_energies')).toBe(30)
    expect(await count('distributor_days')).toBe(30)
    expect(await count('distributor_quantities')).toBeGreaterThan(0)
    const links = await world.deps.db.select().from(pointLinks).where(eq(pointLinks.companyId, world.companyId))
    expect(links.every(({ accessUntil }) => accessUntil !== null)).toBe(true)
  })

  test('without any day to ask for ends at once and says so', async () => {
    const world = await make()
    const none = await start(world, { from: '2026-10-20', to: '2026-10-21', kind: 'definitive' })
    expect(await taskOf(world, none)).toMatchObject({
      status: 'succeeded',
      message: expect.stringContaining('Aucun appel'),
    })
  })
})

describe('refused before it begins', () => {
  test.each([
    [{ from: '2026-10-20', to: '2026-10-20' }, /doit suivre/],
    [{ to: '2026-10-29' }, /futur/],
    [{ from: '2024-10-12' }, /24 mois et 15 jours/],
    [{ pointIds: [crypto.randomUUID()] }, /ne fait pas partie/],
  ])('%o', async (more, message) => {
    await expect(start(await make(), more)).rejects.toThrow(message)
  })
})

describe('a failure', () => {
  test.each(['500', '503-html', 'timeout', 'truncated', 'hostile', 'reset'])(
    'that passes (%s) is tried again',
    async (kind) => {
      const world = await make()
      await faults({ kind, prm: world.points[0]?.prm, times: 2 })
      const id = await start(world)
      await runUntil(world, clock, later(3))
      expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 7, calls: 3 } })
      expect(await errorsOf(world)).toMatchObject([{ nature: expect.stringMatching(/transient|answer/), times: 2 }])
    },
  )

  test('that lasts ends the call after eight tries, and not those of other points', async () => {
    const world = await make(2)
    await faults({ kind: '500', prm: world.points[0]?.prm })
    const id = await start(world)
    await runUntil(world, clock, later(24))
    const task = await taskOf(world, id)
    expect(task).toMatchObject({ status: 'partial', counts: { done: 1, failed: 1, newDays: 7 } })
    expect((await windowsOf(world, id)).find(({ status }) => status === 'failed')?.attempts).toBe(8)
    await sandbox.control('DELETE', 'faults')
    await transaction(world.deps.db, (tx) => retryTask(tx, world.actor, id, clock.now()))
    await runUntil(world, clock, later(24))
    expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded', counts: { done: 2, failed: 0, newDays: 14 } })
  })

  test.each(['q3', 'q4', 'throttled'])(
    'of quota (%s) waits as long as it is told, and counts for nothing',
    async (kind) => {
      const world = await make()
      await faults({ kind, times: 1, seconds: 1800 })
      const id = await start(world)
      const from = clock.now().getTime()
      await runUntil(world, clock, later(3))
      expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded' })
      const waited = (clock.now().getTime() - from) / 1000
      const least = { q3: 0.9, q4: 3599, throttled: 1799 }[kind] ?? 0
      expect(waited).toBeGreaterThan(least)
      expect(waited).toBeLessThan(least + 60)
      expect((await windowsOf(world, id))[0]?.attempts).toBe(0)
    },
  )

  test('of the credentials ends the task at the second refusal, and the administrators know', async () => {
    const world = await make(3)
    await faults({ kind: '401' })
    const id = await start(world)
    await runUntil(world, clock, later(3))
    expect(await taskOf(world, id)).toMatchObject({ status: 'failed', message: expect.stringContaining('jeton') })
    expect((await told(world)).map(({ title }) => title)).toEqual(['Enedis refuse les identifiants enregistrés'])
  })

  test('of a token that ended is not seen', async () => {
    const world = await make()
    await faults({ kind: 'token-expired', times: 1 })
    const id = await start(world)
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded' })
    expect(await errorsOf(world)).toEqual([])
  })

  test('of consent stops the calls of the point, tells why, and resumes when asked', async () => {
    const world = await make(2)
    const [lost] = world.points
    await sandbox.control('PUT', 'consents', { prm: lost?.prm, state: 'withdrawn' })
    const id = await start(world, { from: '2026-08-31', to: '2026-10-26' })
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({ status: 'partial', counts: { windows: 16, done: 8, failed: 8 } })
    expect(await told(world)).toMatchObject([
      { title: expect.stringContaining(lost?.prm ?? ''), actionUrl: '/enedis-error-logs' },
    ])
    const from = await calls()
    const again = await start(world, { pointIds: [lost?.id ?? ''] })
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, again)).toMatchObject({ status: 'failed', counts: { calls: 0 } })
    expect(await calls()).toBe(from)
    await expect(transaction(world.deps.db, (tx) => retryTask(tx, world.actor, again, clock.now()))).rejects.toThrow(
      /Rien à reprendre/,
    )
    await sandbox.control('PUT', 'consents', { prm: lost?.prm, state: 'active' })
    await transaction(world.deps.db, (tx) => resumePoint(tx, world.actor, lost?.id ?? ''))
    await transaction(world.deps.db, (tx) => retryTask(tx, world.actor, id, clock.now()))
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 2 * 56 } })
  })

  test('without data is an end with its reason, asked for again later', async () => {
    const world = await make()
    await faults({ kind: 'no-data', times: 1 })
    const id = await start(world)
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded', message: 'Aucun relevé reçu.' })
    expect(await windowsOf(world, id)).toMatchObject([{ status: 'done', fault: { nature: 'no-data' } }])
    expect(await errorsOf(world)).toMatchObject([{ nature: 'no-data' }])
  })

  test('of the request itself is not repeated', async () => {
    const world = await make()
    const id = await start(world, { from: addDays('2026-10-28', -740), to: addDays('2026-10-28', -735) })
    await sandbox.control('PUT', 'points', [
      { prm: world.points[0]?.prm, direction: 'consumption', from: '2026-01-01' },
    ])
    await runCredential(world.deps, world.job, { clock })
    expect(await taskOf(world, id)).toMatchObject({ status: 'failed' })
    expect((await errorsOf(world)).every(({ code, times }) => code === 'ADAM-DC-0009' && times <= 2)).toBe(true)
  })
})

describe('what comes in parts', () => {
  test('is kept as far as it is known; a gap is never zero', async () => {
    const world = await make()
    await faults({ kind: 'partial', times: 1 })
    await start(world)
    await runCredential(world.deps, world.job, { clock })
    const [point] = world.points
    const days = await readCurves(world.deps.db, world.companyId, [point?.id ?? ''], '2026-10-25', '2026-10-26')
    const watts = days.get(point?.id ?? '')?.[0]?.watts ?? new Int32Array()
    expect(watts).toHaveLength(stepsOfDay('2026-10-25', 15))
    expect([...watts.subarray(0, 48)].every((value) => value >= 0)).toBe(true)
    expect([...watts.subarray(48)].every((value) => value === -1)).toBe(true)
    expect(dayStart('2026-10-26') - dayStart('2026-10-25')).toBe(1500)
  })

  test('in mixed steps is replaced by the finer, and does not replace it', async () => {
    const world = await make()
    await faults({ kind: 'mixed-steps', times: 1 })
    await start(world)
    await runCredential(world.deps, world.job, { clock })
    const mixed = await storedOf(world.deps, world.companyId)
    await start(world)
    await runCredential(world.deps, world.job, { clock })
    const fine = await storedOf(world.deps, world.companyId)
    expect(fine.hash).not.toBe(mixed.hash)
    await faults({ kind: 'mixed-steps', times: 1 })
    await start(world)
    await runCredential(world.deps, world.job, { clock })
    expect(await storedOf(world.deps, world.companyId)).toEqual(fine)
  })
})
