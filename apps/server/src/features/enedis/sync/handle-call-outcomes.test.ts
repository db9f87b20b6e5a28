import { addDays } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import {
  deliverAndListNotifications,
  fetchSyncTask,
  runCredentialUntil,
  selectSyncErrors,
  selectSyncWindows,
  useSyncFixture,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { findCredentialFor } from '../credentials/credentials.ts'
import { resumePoint } from './blocked-points.ts'
import { retrySyncTask } from './change-tasks.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { sandbox, clock, make, start, calls, later, faults } = useSyncFixture()

describe('a failure', () => {
  test.each(['500', '503-html', 'timeout', 'truncated', 'hostile', 'reset'])(
    'that is temporary (%s) is retried',
    async (kind) => {
      const world = await make()
      await faults({ kind, prm: world.points[0]?.prm, times: 2 })
      const id = await start(world)
      await runCredentialUntil(world, clock, later(3))
      expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 7, calls: 3 } })
      const errors = await selectSyncErrors(world)
      expect(errors.reduce((sum, { times }) => sum + times, 0)).toBe(2)
      for (const { nature } of errors) expect(nature).toMatch(/transient|answer/)
    },
  )

  test('that persists ends the call after eight attempts, without affecting other points', async () => {
    const world = await make(2)
    await faults({ kind: '500', prm: world.points[0]?.prm })
    const id = await start(world)
    await runCredentialUntil(world, clock, later(24))
    const task = await fetchSyncTask(world, id)
    expect(task).toMatchObject({ status: 'partial', counts: { done: 1, failed: 1, newDays: 7 } })
    expect((await selectSyncWindows(world, id)).find(({ status }) => status === 'failed')?.attempts).toBe(8)
    await sandbox.control('DELETE', 'faults')
    await transaction(world.deps.db, (tx) => retrySyncTask(tx, world.actor, id, clock.now()))
    await runCredentialUntil(world, clock, later(24))
    expect(await fetchSyncTask(world, id)).toMatchObject({
      status: 'succeeded',
      counts: { done: 2, failed: 0, newDays: 14 },
    })
  })

  test.each(['q3', 'q4', 'throttled'])(
    'by quota (%s) waits the requested time and does not count as an attempt',
    async (kind) => {
      const world = await make()
      await faults({ kind, times: 1, seconds: 1800 })
      const id = await start(world)
      const from = clock.now().getTime()
      await runCredentialUntil(world, clock, later(3))
      expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
      const waited = (clock.now().getTime() - from) / 1000
      const least = { q3: 0.9, q4: 3599, throttled: 1799 }[kind] ?? 0
      expect(waited).toBeGreaterThan(least)
      expect(waited).toBeLessThan(least + 60)
      expect((await selectSyncWindows(world, id))[0]?.attempts).toBe(0)
    },
  )

  test('of the credentials ends the task at the second refusal and notifies administrators', async () => {
    const world = await make(3)
    await faults({ kind: '401' })
    const id = await start(world)
    await runCredentialUntil(world, clock, later(3))
    expect(await fetchSyncTask(world, id)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('jeton'),
    })
    expect((await deliverAndListNotifications(world)).map(({ title }) => title)).toEqual([
      'Enedis refuse les identifiants enregistrés',
    ])
  })

  test('by an expired token is retried at once and counted', async () => {
    const world = await make()
    await faults({ kind: 'token-expired', times: 1 })
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
    expect(await selectSyncErrors(world)).toEqual([])
    expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({ hourCalls: 2 })
  })

  test('by lost consent stops the calls of the point, gives the reason, and can be resumed', async () => {
    const world = await make(2)
    const [lost] = world.points
    await sandbox.control('PUT', 'consents', { prm: lost?.prm, state: 'withdrawn' })
    const id = await start(world, { from: '2026-08-31', to: '2026-10-26' })
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({
      status: 'partial',
      counts: { windows: 16, done: 8, failed: 8 },
    })
    expect(await deliverAndListNotifications(world)).toMatchObject([
      { title: expect.stringContaining(lost?.prm ?? ''), actionUrl: '/enedis-error-logs' },
    ])
    const from = await calls()
    const again = await start(world, { pointIds: [lost?.id ?? ''] })
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, again)).toMatchObject({ status: 'failed', counts: { calls: 0 } })
    expect(await calls()).toBe(from)
    await expect(
      transaction(world.deps.db, (tx) => retrySyncTask(tx, world.actor, again, clock.now())),
    ).rejects.toThrow(/Rien à reprendre/)
    await sandbox.control('PUT', 'consents', { prm: lost?.prm, state: 'active' })
    await transaction(world.deps.db, (tx) => resumePoint(tx, world.actor, lost?.id ?? ''))
    await transaction(world.deps.db, (tx) => retrySyncTask(tx, world.actor, id, clock.now()))
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 2 * 56 } })
  })

  test('of an agreement call does not stop the readings of its points', async () => {
    const world = await make()
    const figures = await start(world, { kind: 'definitive', from: '2026-09-01', to: '2026-10-01' })
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, figures)).toMatchObject({ status: 'failed' })
    expect(await selectSyncErrors(world)).toMatchObject([{ nature: 'consent' }])
    const readings = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, readings)).toMatchObject({ status: 'succeeded', counts: { newDays: 7 } })
    expect(await deliverAndListNotifications(world)).toEqual([])
  })

  test('without data ends the call with its reason, to be requested again later', async () => {
    const world = await make()
    await faults({ kind: 'no-data', times: 1 })
    const id = await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', message: 'Aucun relevé reçu.' })
    expect(await selectSyncWindows(world, id)).toMatchObject([{ status: 'done', fault: { nature: 'no-data' } }])
    expect(await selectSyncErrors(world)).toMatchObject([{ nature: 'no-data' }])
  })

  test('of the request itself is not retried', async () => {
    const world = await make()
    const id = await start(world, { from: addDays('2026-10-28', -740), to: addDays('2026-10-28', -735) })
    await sandbox.control('PUT', 'points', [
      { prm: world.points[0]?.prm, direction: 'consumption', from: '2026-01-01' },
    ])
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'failed' })
    expect((await selectSyncErrors(world)).every(({ code, times }) => code === 'ADAM-DC-0009' && times <= 2)).toBe(true)
  })
})
