import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { loadConfig } from '../src/config.ts'
import { transaction } from '../src/db/client.ts'
import { notifications, type points, syncErrors, syncWindows } from '../src/db/schema/index.ts'
import { type Deps, openDeps } from '../src/deps.ts'
import { deliverEvents } from '../src/events/deliver-events.ts'
import { subscribers } from '../src/events/subscribers.ts'
import { getOrCreateCredential } from '../src/features/enedis/credentials/credentials.ts'
import type { Clock } from '../src/features/enedis/sync/call-slots.ts'
import { runSyncOfCredential } from '../src/features/enedis/sync/run-sync.ts'
import { type StartSyncTaskInput, startSyncTask } from '../src/features/enedis/sync/start-task.ts'
import { loadSyncTask } from '../src/features/enedis/sync/task-queries.ts'
import type { Actor } from '../src/http/actor.ts'
import { startQueue, stopQueue } from '../src/jobs/queue.ts'
import { jobs } from '../src/jobs/registry.ts'
import { createTestDatabase, queryAs } from './database.ts'
import { startTestSimulator, type TestSimulator } from './enedis-simulator.ts'
import { makeUser } from './factories.ts'
import { makeMeter, makeOperation } from './factories-energy.ts'

/** An instant given by the wall clock of Paris. */
export const toParisInstant = (day: string, hour: number, minute = 0) => {
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return new Date(Temporal.ZonedDateTime.from(`${day}T${time}[Europe/Paris]`).epochMilliseconds)
}

/** A running clock that tests can set; the simulator follows it. */
export type TestClock = Clock & { at(now: string | Date): Promise<void> }
export function createTestClock(sandbox: TestSimulator): TestClock {
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const at = async (to: string | Date) => {
    const targetMs = new Date(to).getTime()
    offsetMs = targetMs - Date.now()
    await sandbox.control('PUT', 'clock', { now: new Date(targetMs).toISOString() })
  }
  const sleep = async (ms: number) => {
    const until = now().getTime() + ms
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (now().getTime() < until) await at(new Date(until))
  }
  return { now, at, sleep }
}

async function openPlatform(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-sync-'))
  const database = await createTestDatabase(inject('postgres'))
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    SMTP_URL: 'smtp://127.0.0.1:1',
    LOG_LEVEL: 'silent',
    WEB: 'off',
    ENEDIS_QUOTAS: 'off',
    ...env,
  })
  const { deps, close } = openDeps(config, database.url, pino({ level: config.LOG_LEVEL }))
  // Jobs are stored and run only on request of the test.
  const queue = await startQueue(deps, database.url, jobs, false)
  const stop = async () => {
    await stopQueue(queue)
    await close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { deps, db: deps.db, url: database.url, asOwner: (text: string) => queryAs(database.ownerUrl, text), stop }
}
type TestPlatform = Awaited<ReturnType<typeof openPlatform>>

/** A new database whose jobs run only on request of the test. */
export function useTestPlatform(env: Record<string, string> = {}): TestPlatform {
  const platform = {} as TestPlatform // filled before the first test
  beforeAll(async () => {
    Object.assign(platform, await openPlatform(env))
  })
  afterAll(() => platform.stop?.())
  return platform
}

export function useEnedisSimulator(options: Parameters<typeof startTestSimulator>[0] = {}): TestSimulator {
  const sandbox = {} as TestSimulator // filled before the first test
  beforeAll(async () => {
    Object.assign(sandbox, await startTestSimulator(options))
  })
  afterAll(() => sandbox.stop?.())
  return sandbox
}

let count = 0
type SyncMeter = { direction?: 'consumption' | 'production'; step?: number; prm?: string }

/** A company with an operation and points known to the simulator, and credentials for it. */
export async function makeSyncFixture(
  deps: Deps,
  sandbox: TestSimulator,
  meters: SyncMeter[],
  more: { from?: string; acc?: string } = {},
) {
  const from = more.from ?? '2024-06-01'
  const here: Deps = { ...deps, enedis: { ...deps.enedis, hosts: { ...deps.enedis.hosts, local: sandbox.url } } }
  const owner = await makeUser(deps.db)
  const { companyId } = owner
  const accNumber = more.acc ?? `ACC${String(++count).padStart(8, '0')}`
  const operation = await makeOperation(deps.db, { companyId, accNumber })
  const made: (typeof points.$inferSelect)[] = []
  for (const { direction = 'consumption', prm } of meters)
    made.push(
      await makeMeter(deps.db, {
        companyId,
        operationId: operation.id,
        direction,
        startsOn: from,
        ...(prm && { prm }),
        ...(direction === 'production' && { segment: 'P4' }),
      }),
    )
  const declared = made.map(({ prm, direction }, at) => ({ prm, direction, step: meters[at]?.step ?? 15, from }))
  await sandbox.control('PUT', 'points', declared)
  const credential = await transaction(deps.db, (tx) => getOrCreateCredential(tx, here, companyId, null))
  const actor = { ...owner, userId: owner.id, space: 'office', operationIds: null } as unknown as Actor // what rules read of it
  const job = { companyId, credentialId: credential.id }
  return { owner, actor, companyId, operation, points: made, job, deps: here, credential }
}
export type SyncFixture = Awaited<ReturnType<typeof makeSyncFixture>>

/** Runs due windows, including those that become due, until `end`. */
export async function runCredentialUntil(
  world: SyncFixture,
  clock: TestClock,
  end: Date,
  timeout = 400,
): Promise<void> {
  for (let turn = 0; turn < 200; turn++) {
    await runSyncOfCredential(world.deps, world.job, { clock, timeout })
    const { rows } = await world.deps.db.execute<{ at: string | null }>(sql`
      select extract(epoch from greatest(min(w.next_at), min(c.paused_until))) * 1000 as at from sync_windows w
        join enedis_credentials c on c.company_id = w.company_id and c.id = w.credential_id
       where w.company_id = ${world.companyId} and w.status in ('waiting', 'running')`)
    const at = rows[0]?.at ? Number(rows[0].at) : Number.POSITIVE_INFINITY
    if (at >= end.getTime()) return
    await clock.at(new Date(Math.max(at + 1, clock.now().getTime())))
  }
  throw new Error('the calls never end')
}

/** The current readings of a company, by PRM. */
export async function summarizeStoredReadings(deps: Deps, companyId: number): Promise<{ days: number; hash: string }> {
  const { rows } = await deps.db.execute<{ days: number; hash: string }>(sql`
    select count(*)::int as days, md5(coalesce(string_agg(concat_ws(' ', p.prm, p.direction, d.day, d.step, md5(d.watts),
      d.present, d.energy), ',' order by p.prm, p.direction, d.day), '')) as hash
      from curve_days d join points p on p.company_id = d.company_id and p.id = d.point_id
     where d.company_id = ${companyId} and d.superseded_at is null`)
  return rows[0] ?? { days: 0, hash: '' }
}

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
