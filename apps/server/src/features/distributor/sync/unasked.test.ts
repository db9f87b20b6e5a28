import { addDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeApiKey, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-operations.ts'
import { makeClock, makeWorld, usePlatform, useSandbox } from '../../../../test/factories-sync.ts'
import { taskOf } from '../../../../test/sync-tasks.ts'
import { transaction } from '../../../db/client.ts'
import { today } from '../../../today.ts'
import { runCredential } from './run.ts'
import { startTask } from './start.ts'
import { retryTask } from './task-changes.ts'

const platform = usePlatform()
const sandbox = useSandbox()

const make = async () => {
  const world = await makeWorld(platform.deps, sandbox, [{}])
  const { companyId, operation, deps, job } = world
  const start = (createdBy: string | null, days: number, keyId?: string) => {
    const span = { from: addDays(today(), -days - 3), to: addDays(today(), -days), trigger: 'manual' } as const
    const wanted = {
      companyId,
      operationId: operation.id,
      kind: 'load-curve',
      pointIds: [],
      createdBy,
      keyId,
      ...span,
    } as const
    return transaction(deps.db, (tx) => startTask(tx, deps, wanted))
  }
  const run = () => runCredential(deps, job, { clock: makeClock(sandbox) })
  return { world, companyId, operation, db: deps.db, start, run }
}
const GONE = expect.stringContaining('n’en a plus le droit')

test('calls that somebody wanted are not made once they may not ask for them any more; those of the house are', async () => {
  const { world, companyId, db, start, run } = await make()
  const { id: userId } = await makeUser(db, { companyId, role: 'technician' })
  const [theirs, ours] = [await start(userId, 20), await start(null, 30)]
  await db.execute(sql`update memberships set role = 'reader' where user_id = ${userId}`)
  await run()
  expect(await taskOf(world, theirs)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
  expect(await taskOf(world, ours)).toMatchObject({ status: 'succeeded' })
})

test('the limit to other operations ends them too, and whoever takes them up again answers for them', async () => {
  const { world, companyId, operation, db, start, run } = await make()
  const { id: userId } = await makeUser(db, { companyId, role: 'technician', operationIds: [operation.id] })
  const id = await start(userId, 20)
  await db.execute(sql`update sync_windows set status = 'failed', finished_at = now() where task_id = ${id}`)
  await db.execute(
    sql`update sync_tasks set finished_at = now(), status = 'failed', counts = '{"windows":1,"failed":1}' where id = ${id}`,
  )
  await db.execute(sql`update memberships set disabled_at = now() where user_id = ${userId}`)
  await transaction(db, (tx) => retryTask(tx, world.actor, id))
  await run()
  expect(await taskOf(world, id)).toMatchObject({ status: 'succeeded' })

  const elsewhere = await makeOperation(db, { companyId })
  const { id: limited } = await makeUser(db, { companyId, role: 'technician', operationIds: [elsewhere.id] })
  const other = await start(limited, 30)
  await run()
  expect(await taskOf(world, other)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
})

test('calls that a key wanted end with the key, though its maker may still ask', async () => {
  const { world, companyId, db, start, run } = await make()
  const maker = await makeUser(db, { companyId })
  await makeApiKey(db, maker, { permissions: ['sync.write'] })
  const { rows } = await db.execute<{ id: string }>(sql`select id from api_keys where company_id = ${companyId}`)
  const keyId = rows[0]?.id ?? ''
  const early = await start(maker.id, 20, keyId)
  await run()
  expect(await taskOf(world, early)).toMatchObject({ status: 'succeeded' })
  const late = await start(maker.id, 60, keyId)
  await db.execute(sql`update api_keys set permissions = '{sync.read}' where id = ${keyId}`)
  await run()
  expect(await taskOf(world, late)).toMatchObject({ status: 'cancelled', message: GONE, counts: { calls: 0 } })
})
