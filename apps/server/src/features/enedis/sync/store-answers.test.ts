import { dayStart, stepsOfDay } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  fetchSyncTask,
  selectSyncWindows,
  summarizeStoredReadings,
  useSyncFixture,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { pointLinks } from '../../../db/schema/index.ts'
import { loadCurves } from '../../energy/curves/read-curves.ts'
import { findCredentialFor } from '../credentials/credentials.ts'
import { cancelSyncTask } from './change-tasks.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { sandbox, clock, make, start, calls, faults } = useSyncFixture()

describe('a sync', () => {
  test('stores days of 92, 96 and 100 quarter-hours; the same data again changes nothing', async () => {
    const world = await make(2)
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({
      status: 'succeeded',
      progress: 100,
      message: '14 journées ajoutées.',
      counts: { windows: 2, done: 2, failed: 0, calls: 2, newDays: 14, readings: 2 * (6 * 96 + 100) },
    })
    const [point] = world.points
    const days = (await loadCurves(world.deps.db, world.companyId, [point?.id ?? ''], '2026-10-19', '2026-10-26')).get(
      point?.id ?? '',
    )
    expect(days?.map(({ watts }) => watts.length)).toEqual([96, 96, 96, 96, 96, 96, 100])
    const before = await summarizeStoredReadings(world.deps, world.companyId)
    const again = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, again)).toMatchObject({
      message: '14 journées déjà connues.',
      counts: { sameDays: 14, newDays: 0 },
    })
    expect(await summarizeStoredReadings(world.deps, world.companyId)).toEqual(before)
  })

  test('under way already is not requested twice', async () => {
    const world = await make()
    const first = await start(world)
    const second = await start(world)
    expect(await fetchSyncTask(world, second)).toMatchObject({
      status: 'succeeded',
      message: expect.stringContaining('1 appel déjà en cours'),
    })
    const from = await calls()
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect((await calls()) - from).toBeLessThanOrEqual(2)
    expect(await fetchSyncTask(world, first)).toMatchObject({ status: 'succeeded' })
  })

  test('of another range is split at the same boundaries', async () => {
    const world = await make()
    const id = await start(world, { from: '2026-10-07', to: '2026-10-28' })
    expect((await selectSyncWindows(world, id)).map(({ from, to }) => `${from} ${to}`).sort()).toEqual([
      '2026-10-07 2026-10-12',
      '2026-10-12 2026-10-19',
      '2026-10-19 2026-10-26',
      '2026-10-26 2026-10-28',
    ])
    await transaction(world.deps.db, (tx) => cancelSyncTask(tx, world.actor, id, clock.now()))
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'cancelled' })
  })

  test('stores the other kinds of data in their own tables', async () => {
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
      await runSyncOfCredential(world.deps, world.job, { clock })
      expect(await fetchSyncTask(world, id)).toMatchObject({ kind, status: 'succeeded', counts: { failed: 0 } })
    }
    // The agreement, the access of each point, and one of each other kind.
    expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({ hourCalls: 1 + 2 + 3 })
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

  test('without any day to request ends at once and says so', async () => {
    const world = await make()
    const none = await start(world, { from: '2026-10-20', to: '2026-10-21', kind: 'definitive' })
    expect(await fetchSyncTask(world, none)).toMatchObject({
      status: 'succeeded',
      message: expect.stringContaining('Aucun appel'),
    })
  })
})

describe('refused before the start', () => {
  test.each([
    [{ from: '2026-10-20', to: '2026-10-20' }, /doit suivre/],
    [{ to: '2026-10-29' }, /futur/],
    [{ from: '2024-10-12' }, /24 mois et 15 jours/],
    [{ pointIds: [crypto.randomUUID()] }, /ne fait pas partie/],
  ])('refuses %o', async (more, message) => {
    await expect(start(await make(), more)).rejects.toThrow(message)
  })
})

describe('partial answers', () => {
  test('store known values, and a gap is never zero', async () => {
    const world = await make()
    await faults({ kind: 'partial', times: 1 })
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    const [point] = world.points
    const days = await loadCurves(world.deps.db, world.companyId, [point?.id ?? ''], '2026-10-25', '2026-10-26')
    const watts = days.get(point?.id ?? '')?.[0]?.watts ?? new Int32Array()
    expect(watts).toHaveLength(stepsOfDay('2026-10-25', 15))
    expect([...watts.subarray(0, 48)].every((value) => value >= 0)).toBe(true)
    expect([...watts.subarray(48)].every((value) => value === -1)).toBe(true)
    expect(dayStart('2026-10-26') - dayStart('2026-10-25')).toBe(1500)
  })

  test('with mixed steps: a finer step replaces a coarser one and never the reverse', async () => {
    const world = await make()
    await faults({ kind: 'mixed-steps', times: 1 })
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    const mixed = await summarizeStoredReadings(world.deps, world.companyId)
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    const fine = await summarizeStoredReadings(world.deps, world.companyId)
    expect(fine.hash).not.toBe(mixed.hash)
    await faults({ kind: 'mixed-steps', times: 1 })
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await summarizeStoredReadings(world.deps, world.companyId)).toEqual(fine)
  })
})
