import { and, eq } from 'drizzle-orm'
import { type Fault, faultOf } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { syncWindows } from '../../../db/schema/index.ts'
import { blockPoint } from './block.ts'
import type { Got, Outcome } from './calls.ts'
import { parisAt } from './clock.ts'
import { isMixed } from './curve-days.ts'
import { logError } from './errors.ts'
import { doubtRefusals } from './mass-refusal.ts'
import { losesConsent, verdictOf } from './nature.ts'
import type { Refusal } from './tell.ts'
import type { Run } from './turn.ts'

/** What a window becomes. */
export type Settled = {
  id: string
  status: 'waiting' | 'done' | 'failed'
  attempts: number
  nextAt: Date | null
  fault: Fault | null
  finishedAt: Date | null
}

/** The code under which a day in several steps is told and asked for again. */
export const MIXED = 'mixed-steps'

/** Those that concern the credential, not the point. */
const COMMON = new Set(['quota', 'auth'])

/** Says what becomes of each call, and does what its failure asks for. Gives other tasks that it ended calls of, and what people must know. */
export async function settleFailures(
  tx: Db,
  run: Run,
  all: Outcome[],
  { now, hashes }: Kept,
): Promise<{ settled: Settled[]; taskIds: string[]; refusals: Refusal[] }> {
  const settled: Settled[] = []
  const taskIds: string[] = []
  const refusals: Refusal[] = []
  const refused = new Map<string, Fault>()
  const lost = new Set<string>()
  const outcomes = await doubtRefusals(tx, run, all, now)
  for (const outcome of outcomes) {
    const { window } = outcome
    const one = settle(run, outcome, now)
    settled.push(one)
    if (one.fault && outcome.traces.length) await log(tx, run, outcome, one.fault, { now, hashes })
    if (!('failed' in outcome)) continue
    const { fault } = outcome.failed
    if (fault.nature === 'auth' && one.status === 'failed') refused.set(window.taskId, fault)
    if (!losesConsent(window, fault) || !window.pointId || lost.has(window.pointId)) continue
    lost.add(window.pointId)
    const { companyId } = run.credential
    const blocked = await blockPoint(tx, { companyId, pointId: window.pointId, fault, at: now })
    taskIds.push(...blocked.taskIds)
    refusals.push(blocked.refusal)
  }
  for (const [taskId, fault] of refused) {
    await refuseTask(tx, run, taskId, fault, settled, outcomes, now)
    refusals.push({ on: parisAt(now).day, fault })
  }
  return { settled, taskIds, refusals }
}

function settle(run: Run, { window, ...outcome }: Outcome, now: Date): Settled {
  const { id, attempts, last } = window
  if ('got' in outcome)
    return { id, status: 'done', attempts, nextAt: null, fault: doubtOf(outcome.got), finishedAt: now }
  if ('untouched' in outcome)
    return { id, status: 'waiting', attempts, nextAt: outcome.untouched, fault: null, finishedAt: null }
  const { fault, retryAt } = outcome.failed
  const verdict = verdictOf({ fault, retryAt, attempts, last, now }, run.random)
  const over = verdict.status !== 'waiting'
  return {
    id,
    status: verdict.status,
    fault,
    nextAt: over ? null : verdict.nextAt,
    attempts: attempts + (verdict.counts ? 1 : 0),
    finishedAt: over ? now : null,
  }
}

/** What was answered, and is to be asked for again all the same. */
const doubtOf = (got: Got): Fault | null =>
  got.kind === 'load-curve' && isMixed(got.passes) ? faultOf(MIXED, 200, '') : null

type Kept = { now: Date; hashes: Map<string, string> }

function log(tx: Db, run: Run, outcome: Outcome, fault: Fault, { now: at, hashes }: Kept): Promise<void> {
  const { window, traces } = outcome
  const { operationId, pointId, taskId, acc } = window
  const common = COMMON.has(fault.nature) || fault.code === 'mass-refusal'
  const requestId = 'failed' in outcome ? outcome.failed.requestId : (traces.at(-1)?.requestId ?? '')
  return logError(tx, {
    companyId: run.credential.companyId,
    operationId,
    taskId,
    at,
    fault,
    requestId,
    sha256: hashes.get(requestId) ?? null,
    ...(common ? { subject: acc } : { subject: window.subject, pointId }),
  })
}

/** Credentials refused twice: the whole task is over; the administrators are told once a day. */
async function refuseTask(
  tx: Db,
  run: Run,
  taskId: string,
  fault: Fault,
  settled: Settled[],
  outcomes: Outcome[],
  now: Date,
): Promise<void> {
  const { companyId } = run.credential
  const mine = new Set(outcomes.flatMap(({ window }) => (window.taskId === taskId ? window.id : [])))
  for (const one of settled)
    if (mine.has(one.id) && one.status === 'waiting')
      Object.assign(one, { status: 'failed', fault, nextAt: null, finishedAt: now })
  await tx
    .update(syncWindows)
    .set({ status: 'failed', fault, finishedAt: now })
    .where(and(eq(syncWindows.companyId, companyId), eq(syncWindows.taskId, taskId), eq(syncWindows.status, 'waiting')))
}
