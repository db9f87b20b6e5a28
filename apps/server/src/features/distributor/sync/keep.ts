import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Fault, faultOf } from '../../../adapters/enedis/faults.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { syncAttempts, syncWindows } from '../../../db/schema/index.ts'
import { keepAnswers } from '../enedis/enedis.ts'
import { learnArrivals } from './arrival.ts'
import { clearFaults } from './block.ts'
import type { Outcome } from './calls.ts'
import { type Settled, settleFailures } from './failures.ts'
import { refreshEnded } from './refresh-ended.ts'
import { settleTasks } from './settle-tasks.ts'
import { isAnswered, storeGot } from './store-got.ts'
import { tellKept } from './tell.ts'
import type { Run } from './turn.ts'

/** Keeps how calls ended: all of them at once, or else each on its own, so that one that cannot be kept loses no other. */
export async function keepBatch(run: Run, outcomes: Outcome[]): Promise<void> {
  try {
    await transaction(run.deps.db, (tx) => keep(tx, run, outcomes))
  } catch (error) {
    if (outcomes.length === 1) return keepBroken(run, outcomes, error)
    for (const outcome of outcomes) await keepBatch(run, [outcome])
  }
}

async function keepBroken(run: Run, outcomes: Outcome[], error: unknown): Promise<void> {
  run.deps.log.error({ err: error, credential: run.credential.id }, 'what the distributor answered was not kept')
  const fault: Fault = {
    ...faultOf('unreadable', null, error instanceof Error ? error.message.slice(0, 200) : ''),
    explanation: 'La réponse du distributeur a été reçue mais n’a pas pu être enregistrée.',
  }
  const broken = outcomes.map(({ window, traces, at }) => ({
    window,
    traces,
    at,
    failed: { fault, requestId: traces.at(-1)?.requestId ?? '' },
  }))
  await transaction(run.deps.db, (tx) => keep(tx, run, broken))
}

async function keep(tx: Db, run: Run, all: Outcome[]): Promise<void> {
  const { companyId } = run.credential
  const now = run.clock.now()
  const outcomes = await stillOurs(tx, companyId, all)
  if (!outcomes.length) return
  const hashes = await keepAttempts(tx, companyId, outcomes, now)
  const brought = await storeGot(tx, companyId, outcomes, now)
  const { settled, taskIds, refusals } = await settleFailures(tx, run, outcomes, { now, hashes })
  await writeWindows(tx, companyId, settled)
  const points = answeredPoints(outcomes)
  await clearFaults(tx, companyId, points.all)
  await learnArrivals(tx, companyId, points.timely, now)
  const ids = [...new Set([...brought.keys(), ...taskIds])]
  const added = new Map([...brought].map(([taskId, one]) => [taskId, one.added]))
  await settleTasks(tx, companyId, ids, now, added)
  await refreshEnded(tx, companyId, ids)
  await tellKept(tx, run, brought, refusals)
}

/** One that was cancelled meanwhile is nobody's any more. */
async function stillOurs(tx: Db, companyId: number, outcomes: Outcome[]): Promise<Outcome[]> {
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

/** Says under which hash the answer of each exchange is kept. */
async function keepAttempts(tx: Db, companyId: number, outcomes: Outcome[], now: Date): Promise<Map<string, string>> {
  const traces = outcomes.flatMap((outcome) => outcome.traces)
  const hashes = await keepAnswers(tx, companyId, traces, now)
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

async function writeWindows(tx: Db, companyId: number, settled: Settled[]): Promise<void> {
  const of = <T>(pick: (one: Settled) => T) => sql.param(settled.map(pick))
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

const TIMELY = new Set(['schedule', 'weekly', 'gap'])

/** Only what is asked for at its time shows when it comes. */
function answeredPoints(outcomes: Outcome[]) {
  const answered = outcomes.filter((outcome) => isAnswered(outcome) && outcome.got.kind === 'load-curve')
  const ids = (some: Outcome[]) => [...new Set(some.flatMap(({ window }) => window.pointId ?? []))]
  const timely = answered.filter(({ window: { trigger } }) => TIMELY.has(trigger))
  return { all: ids(answered), timely: ids(timely) }
}
