import { and, eq } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import { deliverEvents } from '../src/core/deliver-events.ts'
import { transaction } from '../src/db/client.ts'
import { notifications, syncErrors, syncWindows } from '../src/db/schema/index.ts'
import { type StartSyncTaskInput, startSyncTask } from '../src/features/distributor/sync/start.ts'
import { loadSyncTask } from '../src/features/distributor/sync/task-view.ts'
import { subscribers } from '../src/jobs/subscribers.ts'
import {
  createTestClock,
  makeSyncFixture,
  type SyncFixture,
  type TestClock,
  useEnedisSimulator,
  useTestPlatform,
} from './factories-sync.ts'

export const fetchSyncTask = (world: SyncFixture, id: string) => loadSyncTask(world.deps.db, world.actor, id)
export const selectSyncWindows = (world: SyncFixture, taskId: string) =>
  world.deps.db
    .select()
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, world.companyId), eq(syncWindows.taskId, taskId)))
export const selectSyncErrors = (world: SyncFixture) =>
  world.deps.db.select().from(syncErrors).where(eq(syncErrors.companyId, world.companyId))
/** Notifications, once subscribers have handled every event: jobs do not run by themselves here. */
export async function deliverAndListNotifications(world: SyncFixture) {
  await deliverEvents(world.deps, world.companyId, subscribers)
  return world.deps.db.select().from(notifications).where(eq(notifications.companyId, world.companyId))
}

/** A platform, a simulator without faults and a clock reset before each test, and functions to request data. */
export function useSyncFixture(now = '2026-10-28T09:00:00Z') {
  const platform = useTestPlatform()
  const sandbox = useEnedisSimulator()
  const clock = {} as TestClock // filled before each test
  beforeEach(async () => {
    await sandbox.control('DELETE', 'faults')
    Object.assign(clock, createTestClock(sandbox))
    await clock.at(now)
  })
  return {
    platform,
    sandbox,
    clock,
    make: (number = 1) =>
      makeSyncFixture(
        platform.deps,
        sandbox,
        Array.from({ length: number }, () => ({})),
      ),
    start: (world: SyncFixture, more: Partial<StartSyncTaskInput> = {}) =>
      transaction(world.deps.db, (tx) =>
        startSyncTask(tx, world.deps, {
          companyId: world.companyId,
          operationId: world.operation.id,
          kind: 'load-curve',
          pointIds: [],
          from: '2026-10-19',
          to: '2026-10-26',
          trigger: 'manual',
          createdBy: null,
          now: clock.now(),
          ...more,
        }),
      ),
    calls: async (): Promise<number> => (await sandbox.control('GET', 'state')).counters.calls ?? 0,
    later: (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000),
    faults: (...list: object[]) => sandbox.control('PUT', 'faults', list),
  }
}
