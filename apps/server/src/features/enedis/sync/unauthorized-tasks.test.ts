import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import {
  createTestClock,
  fetchSyncTask,
  makeSyncFixture,
  useEnedisSimulator,
  useTestPlatform,
} from '../../../../test/factories-sync.ts'
import { transaction } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { retrySyncTask } from './change-tasks.ts'
import { runSyncOfCredential } from './run-sync.ts'
import { startSyncTask } from './start-task.ts'

const platform = useTestPlatform()
const sandbox = useEnedisSimulator()

const make = async () => {
  const world = await makeSyncFixture(platform.deps, sandbox, [{}])
  const { companyId, operation, deps, job } = world
  const start = (createdBy: string | null, days: number, keyId?: string) => {
    const span = { from: addDays(getToday(), -days - 3), to: addDays(getToday(), -days), trigger: 'manual' } as const
    const wanted = {
      companyId,
      operationId: operation.id,
      kind: 'load-curve',
      pointIds: [],
      createdBy,
      keyId,
      ...span,
    } as const
    return transaction(deps.db, (tx) => startSyncTask(tx, deps, wanted))
  }
  const run = () => runSyncOfCredential(deps, job, { clock: createTestClock(sandbox) })
  return { world, companyId, operation, db: deps.db, start, run }
}
const GONE = expect.stringContaining('n’en a plus le droit')

test('ends the calls of a user who lost the permission, and keeps automatic ones', async () => {
  const { world, companyId, db, start, run } = await make()
  const { id: userId } = await makeUser(db, { companyId, role: 'technician' })
  const [theirs, ours] = [await start(userId, 20), await start(null, 30)]
  await db.execute(sql`update memberships set role = 'reader' where user_id = ${userId}`)
  await run()
  expect(await fetchSyncTask(world, theirs)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
  expect(await fetchSyncTask(world, ours)).toMatchObject({ status: 'succeeded' })
})

test('ends them when the user becomes limited to operations; a retry runs in the name of its user', async () => {
  const { world, companyId, operation, db, start, run } = await make()
  const { id: userId } = await makeUser(db, { companyId, role: 'technician', operationIds: [operation.id] })
  const id = await start(userId, 20)
  await db.execute(sql`update sync_windows set status = 'failed', finished_at = now() where task_id = ${id}`)
  await db.execute(
    sql`update sync_tasks set finished_at = now(), status = 'failed', counts = '{"windows":1,"failed":1}' where id = ${id}`,
  )
  await db.execute(sql`update memberships set disabled_at = now() where user_id = ${userId}`)
  await transaction(db, (tx) => retrySyncTask(tx, world.actor, id))
  await run()
  expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded' })

  const elsewhere = await makeOperation(db, { companyId })
  const { id: limited } = await makeUser(db, { companyId, role: 'technician', operationIds: [elsewhere.id] })
  const other = await start(limited, 30)
  await run()
  expect(await fetchSyncTask(world, other)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
})

test('calls requested by an API key end with the key, even if its creator keeps the permission', async () => {
  const { world, companyId, db, start, run } = await make()
  const maker = await makeUser(db, { companyId })
  await makeApiKey(db, maker, { permissions: ['sync.write'] })
  const { rows } = await db.execute<{ id: string }>(sql`select id from api_keys where company_id = ${companyId}`)
  const keyId = rows[0]?.id ?? ''
  const early = await start(maker.id, 20, keyId)
  await run()
  expect(await fetchSyncTask(world, early)).toMatchObject({ status: 'succeeded' })
  const late = await start(maker.id, 60, keyId)
  await db.execute(sql`update api_keys set permissions = '{sync.read}' where id = ${keyId}`)
  await run()
  expect(await fetchSyncTask(world, late)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
})
