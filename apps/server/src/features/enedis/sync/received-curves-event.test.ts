import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fetchSyncTask, type SyncFixture, useSyncFixture } from '../../../../test/factories-sync.ts'
import { auditEntries, events, syncWindows } from '../../../db/schema/index.ts'
import { runSyncOfCredential } from './run-sync.ts'

const { clock, make, start } = useSyncFixture()
const received = (world: SyncFixture) =>
  world.deps.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, world.companyId), eq(events.name, 'curves.received')))
    .orderBy(asc(events.seq))

test('received curves record an event with task, points and days, in the audit log too', async () => {
  const world = await make(2)
  const id = await start(world)
  await runSyncOfCredential(world.deps, world.job, { clock })
  expect(await fetchSyncTask(world, id)).toMatchObject({ status: 'succeeded', counts: { newDays: 14 } })
  const told = await received(world)
  expect(told).toMatchObject([
    {
      object: id,
      data: {
        source: 'sync',
        ref: id,
        operations: [world.operation.id],
        inserted: 14,
        changed: 0,
        same: 0,
        readings: [{ days: [{ from: '2026-10-19', to: '2026-10-26' }] }],
      },
    },
  ])
  const entries = await world.deps.db.select().from(auditEntries).where(eq(auditEntries.companyId, world.companyId))
  expect(entries).toMatchObject([{ actor: 'tâche sync.run', action: 'curves.received', target: id }])
})

test('the same curves again record no event', async () => {
  const world = await make()
  const id = await start(world)
  await runSyncOfCredential(world.deps, world.job, { clock })
  // Simulates a process killed before its calls were marked as done.
  await world.deps.db.update(syncWindows).set({ status: 'waiting' }).where(eq(syncWindows.taskId, id))
  await runSyncOfCredential(world.deps, world.job, { clock })
  expect(await fetchSyncTask(world, id)).toMatchObject({ counts: { newDays: 7, sameDays: 7 } })
  expect(await received(world)).toHaveLength(1)
})
