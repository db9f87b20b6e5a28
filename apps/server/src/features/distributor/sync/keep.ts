import { and, eq, inArray, sql } from 'drizzle-orm'
import { buildDistributorFault, type DistributorFault } from '../../../adapters/enedis/faults.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { syncAttempts, syncWindows } from '../../../db/schema/index.ts'
import { archiveAnswers } from '../enedis/enedis.ts'
import { updateArrivalTimes } from './arrival.ts'
import { clearFaults } from './block.ts'
import type { CallOutcome } from './calls.ts'
import { handleCallOutcomes, type WindowUpdate } from './failures.ts'
import { requestRefreshOfEndedTasks } from './refresh-ended.ts'
import { updateTaskProgress } from './settle-tasks.ts'
import { isAnswered, storeAnswers } from './store-got.ts'
import { recordBatchEvents } from './tell.ts'
import type { SyncRun } from './turn.ts'

/**
 * Stores outcomes in one transaction, or one by one when that fails, so that an outcome that cannot be stored does not
 * lose the others.
 */
export async function storeBatch(run: SyncRun, outcomes: CallOutcome[]): Promise<void> {
  try {
    await transaction(run.deps.db, (tx) => storeOutcomes(tx, run, outcomes))
  } catch (error) {
    if (outcomes.length === 1) return storeAsFailed(run, outcomes, error)
    for (const outcome of outcomes) await storeBatch(run, [outcome])
  }
}

async function storeAsFailed(run: SyncRun, outcomes: CallOutcome[], error: unknown): Promise<void> {
  run.deps.log.error({ err: error, credential: run.credential.id }, 'what the distributor answered was not kept')
  const fault: DistributorFault = {
    ...buildDistributorFault('unreadable', null, error instanceof Error ? error.message.slice(0, 200) : ''),
    explanation: 'La réponse du distributeur a été reçue mais n’a pas pu être enregistrée.',
  }
  const broken = outcomes.map(({ window, traces, at }) => ({
    window,
    traces,
    at,
    failed: { fault, requestId: traces.at(-1)?.requestId ?? '' },
  }))
  await transaction(run.deps.db, (tx) => storeOutcomes(tx, run, broken))
}

async function storeOutcomes(tx: Db, run: SyncRun, all: CallOutcome[]): Promise<void> {
  const { companyId } = run.credential
  const now = run.clock.now()
  const outcomes = await filterStillRunning(tx, companyId, all)
  if (!outcomes.length) return
  const hashes = await storeAttempts(tx, companyId, outcomes, now)
  const brought = await storeAnswers(tx, companyId, outcomes, now)
  const { settled, taskIds, refusals } = await handleCallOutcomes(tx, run, outcomes, { now, hashes })
  await updateWindows(tx, companyId, settled)
  const points = listAnsweredPoints(outcomes)
  await clearFaults(tx, companyId, points.all)
  await updateArrivalTimes(tx, companyId, points.timely, now)
  const ids = [...new Set([...brought.keys(), ...taskIds])]
  const added = new Map([...brought].map(([taskId, one]) => [taskId, one.added]))
  await updateTaskProgress(tx, companyId, ids, now, added)
  await requestRefreshOfEndedTasks(tx, companyId, ids)
  await recordBatchEvents(tx, run, brought, refusals)
}

/** Leaves out calls that were cancelled meanwhile. */
async function filterStillRunning(tx: Db, companyId: number, outcomes: CallOutcome[]): Promise<CallOutcome[]> {
  const ids = outcomes.map(({ window }) => window.id)
  const rows = await tx
    .select({ id: syncWindows.id })
    .from(syncWindows)
    .where(and(eq(syncWindows.companyId, companyId), inArray(syncWindows.id, ids), eq(syncWindows.status, 'running')))
    .orderBy(syncWindows.id)
    .for('update')
  const ours = new Set(rows.map(({ id }) => id))
  return outcomes.filter(({ window }) => ours.has(window.id))
}

/** Stores the attempts with the hash of each archived answer. */
async function storeAttempts(
  tx: Db,
  companyId: number,
  outcomes: CallOutcome[],
  now: Date,
): Promise<Map<string, string>> {
  const traces = outcomes.flatMap((outcome) => outcome.traces)
  const hashes = await archiveAnswers(tx, companyId, traces, now)
  const rows = outcomes.flatMap((outcome) =>
    outcome.traces.map(({ request, status, requestId, milliseconds }, at) => {
      const last = at === outcome.traces.length - 1
      const code = last && 'failed' in outcome ? outcome.failed.fault.code : ''
      return {
        companyId,
        windowId: outcome.window.id,
        at: outcome.at,
        request,
        status,
        code,
        requestId,
        milliseconds: Math.round(milliseconds),
        sha256: hashes.get(requestId) ?? null,
      }
    }),
  )
  if (rows.length) await tx.insert(syncAttempts).values(rows)
  return hashes
}

async function updateWindows(tx: Db, companyId: number, settled: WindowUpdate[]): Promise<void> {
  const of = <T>(pick: (one: WindowUpdate) => T) => sql.param(settled.map(pick))
  await tx.execute(sql`
    update sync_windows w set status = g.status, attempts = g.attempts, next_at = coalesce(g.next_at, w.next_at),
           fault = g.fault, finished_at = g.finished_at
      from unnest(${of(({ id }) => id)}::uuid[], ${of(({ status }) => status)}::text[],
        ${of(({ attempts }) => attempts)}::int[], ${of(({ nextAt }) => nextAt?.toISOString() ?? null)}::timestamptz[],
        ${of(({ fault }) => (fault ? JSON.stringify(fault) : null))}::jsonb[],
        ${of(({ finishedAt }) => finishedAt?.toISOString() ?? null)}::timestamptz[])
        g(id, status, attempts, next_at, fault, finished_at)
     where w.company_id = ${companyId} and w.id = g.id`)
}

const TIMELY_TRIGGERS = new Set(['schedule', 'weekly', 'gap'])

/** Only scheduled requests show when readings become available. */
function listAnsweredPoints(outcomes: CallOutcome[]) {
  const answered = outcomes.filter((outcome) => isAnswered(outcome) && outcome.got.kind === 'load-curve')
  const ids = (some: CallOutcome[]) => [...new Set(some.flatMap(({ window }) => window.pointId ?? []))]
  const timely = answered.filter(({ window: { trigger } }) => TIMELY_TRIGGERS.has(trigger))
  return { all: ids(answered), timely: ids(timely) }
}
