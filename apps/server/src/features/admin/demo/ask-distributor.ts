import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { BERGES_ID, TILLEULS_ID } from '@voisol/simulator/demo/identities'
import { and, eq, isNull } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { startSyncTask } from '../../enedis/sync/index.ts'

const SIMULATOR_START_TIMEOUT_MS = 20_000
const POLL_MS = 250
const SECOND_MS = 1000
const CURVE_DAYS = 7
/** Answers that take longer are handled the next time the demo data is filled. */
const ANSWERS_TIMEOUT_MS = 600_000

/** The Enedis simulator starts at the same time as the server, so that it may not answer yet. */
async function waitForSimulator({ enedis }: Deps): Promise<boolean> {
  for (let waited = 0; !enedis.hosts.local && waited < SIMULATOR_START_TIMEOUT_MS; waited += POLL_MS)
    await sleep(POLL_MS)
  return enedis.hosts.local !== null
}

async function hasSyncTasks(db: Db, companyId: number): Promise<boolean> {
  const [task] = await db
    .select({ id: syncTasks.id })
    .from(syncTasks)
    .where(eq(syncTasks.companyId, companyId))
    .limit(1)
  return task !== undefined
}

/** Months of distributor figures requested per operation: back to the month in which the simulator's figures differ. */
const MONTHS_BY_OPERATION: Record<string, number> = { [TILLEULS_ID]: 8, [BERGES_ID]: 3 }

/**
 * Requests the first distributor data; afterwards the daily sync continues by itself. Returns whether it was requested
 * now.
 */
export async function startDistributorSync(
  deps: Deps,
  { companyId, today, createdBy }: { companyId: number; today: string; createdBy: string },
): Promise<boolean> {
  if ((await hasSyncTasks(deps.db, companyId)) || !(await waitForSimulator(deps))) return false
  const month = monthOf(today)
  await transaction(deps.db, async (tx) => {
    for (const [operationId, months] of Object.entries(MONTHS_BY_OPERATION)) {
      const about = { companyId, operationId, pointIds: [], trigger: 'manual', createdBy } as const
      const since = { from: addMonths(month, -months), to: month }
      await startSyncTask(tx, deps, { ...about, kind: 'load-curve', from: addDays(today, -CURVE_DAYS), to: today })
      await startSyncTask(tx, deps, { ...about, kind: 'perimeter', ...since })
      await startSyncTask(tx, deps, { ...about, kind: 'definitive', ...since })
      await startSyncTask(tx, deps, { ...about, kind: 'agreement-series', ...since })
    }
  })
  return true
}

/** Only the manual requests count: nobody waits for those of the daily sync. */
const countUnfinishedTasks = (db: Db, companyId: number) =>
  db.$count(
    syncTasks,
    and(eq(syncTasks.companyId, companyId), eq(syncTasks.trigger, 'manual'), isNull(syncTasks.finishedAt)),
  )

/** Waits until every request has been answered or postponed. */
export async function waitForAnswers({ db }: Deps, companyId: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < ANSWERS_TIMEOUT_MS && (await countUnfinishedTasks(db, companyId)); waited += SECOND_MS)
    await sleep(SECOND_MS, undefined, { signal })
}
