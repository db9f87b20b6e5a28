import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  fetchSyncTask,
  runCredentialUntil,
  type SyncFixture,
  selectSyncErrors,
  selectSyncWindows,
  useSyncFixture,
} from '../../../../test/factories-sync.ts'
import { loadArchivedAnswer } from '../credentials/answer-archive.ts'
import { findCredentialFor } from '../credentials/credentials.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { sandbox, clock, make, start, faults, later } = useSyncFixture()
const SEPTEMBER = { from: '2026-09-01', to: '2026-10-01' }

async function makeAgreement() {
  const world = await make(2)
  const [roof, home] = world.points
  await sandbox.control('PUT', 'points', [{ prm: roof?.prm, direction: 'production', from: '2024-06-01' }])
  const seat = (prm: string | undefined, role: string) => ({ prm, role, startsOn: '2026-01-01', endsOn: null })
  const points = [seat(roof?.prm, 'prod'), seat(home?.prm, 'cons')]
  const acc = world.operation.accNumber
  await sandbox.control('PUT', 'agreements', [{ acc, name: 'Essai', startsOn: '2026-01-01', endsOn: null, points }])
  return { world, home: home?.id ?? '' }
}

/** Number of stored data rows of any kind. */
async function countStoredRows({ deps, companyId }: SyncFixture): Promise<number> {
  const tables = [
    'curve_days',
    'distributor_days',
    'distributor_quantities',
    'distributor_energies',
    'distributor_perimeters',
  ]
  const counts = tables.map((table) => `(select count(*) from ${table} where company_id = ${companyId})`)
  const { rows } = await deps.db.execute<{ n: string }>(sql.raw(`select ${counts.join(' + ')} as n`))
  return Number(rows[0]?.n)
}

describe('an invalid answer', () => {
  test.each([
    ['definitive', 'other-point'],
    ['definitive', 'other-year'],
    ['definitive', 'negative'],
    ['definitive', 'empty-value'],
    ['agreement-series', 'other-year'],
    ['agreement-series', 'wrong-step'],
    ['daily-energy', 'kilo'],
    ['daily-energy', 'other-year'],
    ['load-curve', 'kilo'],
    ['load-curve', 'wrong-step'],
    ['load-curve', 'empty'],
    ['perimeter', 'empty'],
  ] as const)(
    '%s, %s: stores no data, leaves the call open, and archives the answer with the reason',
    async (kind, plant) => {
      const { world, home } = await makeAgreement()
      await faults({ kind: plant })
      const span = kind === 'load-curve' ? {} : SEPTEMBER
      const id = await start(world, { kind, ...span, pointIds: kind === 'perimeter' ? [] : [home] })
      // One attempt per call: later attempts are postponed.
      await runSyncOfCredential(world.deps, world.job, {
        clock: { ...clock, sleep: () => Promise.reject(new Error('enough')) },
      }).catch(() => {})
      expect(await countStoredRows(world)).toBe(0)
      expect(await fetchSyncTask(world, id)).toMatchObject({ finishedAt: null, counts: { done: 0 } })
      for (const { status, fault } of await selectSyncWindows(world, id))
        expect([status, fault]).toEqual(['waiting', expect.objectContaining({ nature: 'answer', status: 200 })])
      const [error] = await selectSyncErrors(world)
      expect(error).toMatchObject({
        nature: 'answer',
        requestId: expect.stringMatching(/./),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(await loadArchivedAnswer(world.deps.db, world.companyId, error?.sha256 ?? '')).toBeDefined()
      await sandbox.control('DELETE', 'faults')
      await clock.at(new Date(clock.now().getTime() + 60_000))
      await runSyncOfCredential(world.deps, world.job, { clock })
      expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
      expect(await countStoredRows(world)).toBeGreaterThan(0)
    },
  )
})

test('for one point blocks no other point, since the distributor does answer', async () => {
  const world = await make(2)
  const [wrong, right] = world.points
  await faults({ kind: 'kilo', prm: wrong?.prm })
  const first = await start(world, { pointIds: [wrong?.id ?? ''], from: '2026-08-31', to: '2026-10-26' })
  await runCredentialUntil(world, clock, later(1))
  expect((await selectSyncErrors(world)).reduce((sum, { times }) => sum + times, 0)).toBe(64)
  expect(await fetchSyncTask(world, first)).toMatchObject({ status: 'failed', counts: { failed: 8, newDays: 0 } })
  expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({
    circuit: 'closed',
    pausedUntil: null,
  })
  const second = await start(world, { pointIds: [right?.id ?? ''] })
  await runSyncOfCredential(world.deps, world.job, { clock })
  expect(await fetchSyncTask(world, second)).toMatchObject({ status: 'succeeded', counts: { newDays: 7 } })
})
