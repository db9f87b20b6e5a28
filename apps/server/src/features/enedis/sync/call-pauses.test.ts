import { describe, expect, test } from 'vitest'
import {
  createTestClock,
  fetchSyncTask,
  runCredentialUntil,
  selectSyncWindows,
  useSyncFixture,
} from '../../../../test/factories-sync.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { findCredentialFor } from '../credentials/credentials.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { sandbox, platform, clock, make, start, later, faults, calls } = useSyncFixture()

describe('a retry time', () => {
  test.each(['busy', 'busy-date'])('given with a 503 (%s) is obeyed to the second', async (kind) => {
    const world = await make(2)
    await faults({ kind, seconds: 1117, times: 1 })
    const id = await start(world)
    const from = clock.now().getTime()
    await runSyncOfCredential(world.deps, world.job, { clock })
    const made = await calls()
    const { pausedUntil } = (await findCredentialFor(world.deps.db, world.companyId, null)) ?? {}
    const rest = ((pausedUntil?.getTime() ?? 0) - from) / 1000
    expect(rest).toBeGreaterThan(1115)
    expect(rest).toBeLessThan(1130)
    await runSyncOfCredential(world.deps, world.job, { clock })
    expect(await calls()).toBe(made)
    await runCredentialUntil(world, clock, later(2))
    expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
    expect((await selectSyncWindows(world, id)).every(({ attempts }) => attempts === 0)).toBe(true)
  })

  test('given with a successful answer is obeyed too', async () => {
    const world = await make(1)
    await faults({ kind: 'busy', seconds: 90_000_000, times: 1 })
    await start(world)
    await runSyncOfCredential(world.deps, world.job, { clock })
    const { pausedUntil, circuit } = (await findCredentialFor(world.deps.db, world.companyId, null)) ?? {}
    const hours = ((pausedUntil?.getTime() ?? 0) - clock.now().getTime()) / 3_600_000
    expect([Math.round(hours), circuit]).toEqual([24, 'open'])
  })
})

test('a call repeated after a 401 takes a rate limit slot', async () => {
  const world = await make(1)
  const quick = { ...world.deps, enedis: { ...world.deps.enedis, quotas: true } }
  await faults({ kind: 'token-expired', times: 1 })
  const id = await start(world)
  // Four calls were made within this second: the refused one is the fifth.
  await platform.asOwner(`update enedis_credentials set second_at = '${clock.now().toISOString()}', second_calls = 4
    where company_id = ${world.companyId}`)
  let slept = 0
  const sleep = async (ms: number) => {
    slept += ms
    await clock.sleep(ms)
  }
  await runSyncOfCredential(quick, world.job, { clock: { ...clock, sleep } })
  expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
  expect(slept).toBeGreaterThan(500)
  expect(await findCredentialFor(world.deps.db, world.companyId, null)).toMatchObject({ hourCalls: 2 })
})

test('a waiting run gives up its worker slot when another run needs it, and otherwise sleeps', async () => {
  const [world, other] = [await make(1), await make(1)]
  const own = createTestClock(sandbox)
  let slept = 0
  const counting = {
    ...own,
    sleep: async (ms: number) => {
      slept += ms
      await own.sleep(ms)
    },
  }
  await own.at(clock.now())
  await platform.db.execute('delete from jobs.job')
  await faults({ kind: 'busy', seconds: 40, times: 1 })
  const id = await start(world)
  await platform.db.execute('delete from jobs.job')
  await enqueue(platform.db, 'sync.run', other.job, { once: other.job.credentialId })
  await runSyncOfCredential(world.deps, world.job, { clock: counting })
  expect(await fetchSyncTask(world, id)).toMatchObject({ finishedAt: null })
  expect(slept).toBeLessThan(6000)
  await platform.db.execute('delete from jobs.job')
  await runSyncOfCredential(world.deps, world.job, { clock: counting })
  expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })
  expect(slept).toBeGreaterThan(30_000)
})
