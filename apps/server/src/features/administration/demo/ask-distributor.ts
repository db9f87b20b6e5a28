import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { and, eq, isNull } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { syncTasks } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { BERGES_ID, TILLEULS_ID } from '../../../world/ids.ts'
import { startSyncTask } from '../../distributor/sync/sync.ts'

const SIMULATOR_START_TIMEOUT_MS = 20_000
const POLL_MS = 250
const SECOND_MS = 1000
const CURVE_DAYS = 7
/** What the distributor holds up for longer is settled by the next filling. */
const ANSWERS_TIMEOUT_MS = 600_000

/** The stand-in starts beside the server: it may still be on its way. */
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

/** How many months back each operation's figures are asked for: to the month in which the distributor's differ. */
const MONTHS_BY_OPERATION: Record<string, number> = { [TILLEULS_ID]: 8, [BERGES_ID]: 3 }

/** What somebody asks the distributor for on the first day; from then on the daily pass goes on by itself. Whether it was now. */
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

/** What the daily pass asks for besides is waited for by nobody. */
const countUnfinishedTasks = (db: Db, companyId: number) =>
  db.$count(
    syncTasks,
    and(eq(syncTasks.companyId, companyId), eq(syncTasks.trigger, 'manual'), isNull(syncTasks.finishedAt)),
  )

/** Until all that was asked for has come, or will not for a while. */
export async function waitForAnswers({ db }: Deps, companyId: number, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < ANSWERS_TIMEOUT_MS && (await countUnfinishedTasks(db, companyId)); waited += SECOND_MS)
    await sleep(SECOND_MS, undefined, { signal })
}
