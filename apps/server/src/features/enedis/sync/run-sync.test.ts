import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createTestClock,
  makeSyncFixture,
  useEnedisSimulator,
  useTestPlatform,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import { runSyncOfCredential } from './run-sync.ts'
import { startSyncTask } from './start-task.ts'

const platform = useTestPlatform()
const sandbox = useEnedisSimulator()

test('waits for a simulator that has not started yet without counting a failure', async () => {
  const world = await makeSyncFixture(platform.deps, sandbox, [{}])
  const { companyId, operation, deps, job } = world
  // Days that are available at any time; yesterday's come in the morning only.
  const to = addDays(getToday(), -2)
  const wanted = { companyId, operationId: operation.id, kind: 'load-curve', pointIds: [] } as const
  const span = { from: addDays(to, -3), to, trigger: 'manual', createdBy: null } as const
  await transaction(deps.db, (tx) => startSyncTask(tx, deps, { ...wanted, ...span }))
  const standing = async () => {
    const { rows } = await deps.db.execute(sql`
      select (select string_agg(distinct status, ' ') from sync_windows where company_id = ${companyId}) as windows,
             (select count(*)::int from sync_errors where company_id = ${companyId}) as errors,
             (select circuit from enedis_credentials where company_id = ${companyId}) as circuit`)
    return rows[0]
  }
  const away: Deps = { ...deps, enedis: { ...deps.enedis, hosts: { ...deps.enedis.hosts, local: null } } }
  await runSyncOfCredential(away, job, { clock: createTestClock(sandbox) })
  expect(await standing()).toEqual({ windows: 'waiting', errors: 0, circuit: 'closed' })

  const late = { ...away, enedis: { ...away.enedis, hosts: { ...away.enedis.hosts } } }
  const clock = createTestClock(sandbox)
  const sleep = async (ms: number) => {
    late.enedis.hosts.local = deps.enedis.hosts.local
    await clock.sleep(ms)
  }
  await runSyncOfCredential(late, job, { clock: { ...clock, sleep } })
  expect(await standing()).toEqual({ windows: 'done', errors: 0, circuit: 'closed' })
})
