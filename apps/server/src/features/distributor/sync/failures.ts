import { and, eq } from 'drizzle-orm'
import { buildDistributorFault, type DistributorFault } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { syncWindows } from '../../../db/schema/index.ts'
import { blockPoint } from './block.ts'
import type { CallAnswer, CallOutcome } from './calls.ts'
import { getParisTime } from './clock.ts'
import { hasMixedSteps } from './curve-days.ts'
import { logSyncError } from './errors.ts'
import { handleMassRefusals } from './mass-refusal.ts'
import { decideRetry, isConsentLoss } from './nature.ts'
import type { Refusal } from './tell.ts'
import type { SyncRun } from './turn.ts'

/** The new state of a call. */
export type WindowUpdate = {
  id: string
  status: 'waiting' | 'done' | 'failed'
  attempts: number
  nextAt: Date | null
  fault: DistributorFault | null
  finishedAt: Date | null
}

/** The code of a day with several steps, under which it is reported and requested again. */
export const MIXED_STEPS_CODE = 'mixed-steps'

/** Failures that concern the credential and not the point. */
const CREDENTIAL_NATURES = new Set(['quota', 'auth'])

/**
 * Decides what becomes of each call, and applies the consequences of failures. Returns the other tasks in which it
 * ended calls, and what people must be notified of.
 */
export async function handleCallOutcomes(
  tx: Db,
  run: SyncRun,
  all: CallOutcome[],
  { now, hashes }: OutcomeContext,
): Promise<{ settled: WindowUpdate[]; taskIds: string[]; refusals: Refusal[] }> {
  const settled: WindowUpdate[] = []
  const taskIds: string[] = []
  const refusals: Refusal[] = []
  const refused = new Map<string, DistributorFault>()
  const lost = new Set<string>()
  const outcomes = await handleMassRefusals(tx, run, all, now)
  for (const outcome of outcomes) {
    const { window } = outcome
    const one = toWindowUpdate(run, outcome, now)
    settled.push(one)
    if (one.fault && outcome.traces.length) await logOutcome(tx, run, outcome, one.fault, { now, hashes })
    if (!('failed' in outcome)) continue
    const { fault } = outcome.failed
    if (fault.nature === 'auth' && one.status === 'failed') refused.set(window.taskId, fault)
    if (!isConsentLoss(window, fault) || !window.pointId || lost.has(window.pointId)) continue
    lost.add(window.pointId)
    const { companyId } = run.credential
    const blocked = await blockPoint(tx, { companyId, pointId: window.pointId, fault, at: now })
    taskIds.push(...blocked.taskIds)
    refusals.push(blocked.refusal)
  }
  for (const [taskId, fault] of refused) {
    await failTask(tx, run, taskId, fault, settled, outcomes, now)
    refusals.push({ on: getParisTime(now).day, fault })
  }
  return { settled, taskIds, refusals }
}

function toWindowUpdate(run: SyncRun, { window, ...outcome }: CallOutcome, now: Date): WindowUpdate {
  const { id, attempts, last } = window
  if ('got' in outcome)
    return { id, status: 'done', attempts, nextAt: null, fault: findDoubt(outcome.got), finishedAt: now }
  if ('untouched' in outcome)
    return { id, status: 'waiting', attempts, nextAt: outcome.untouched, fault: null, finishedAt: null }
  const { fault, retryAt } = outcome.failed
  const verdict = decideRetry({ fault, retryAt, attempts, last, now }, run.random)
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

/** An answer that is stored but must be requested again. */
const findDoubt = (got: CallAnswer): DistributorFault | null =>
  got.kind === 'load-curve' && hasMixedSteps(got.passes) ? buildDistributorFault(MIXED_STEPS_CODE, 200, '') : null

type OutcomeContext = { now: Date; hashes: Map<string, string> }

function logOutcome(
  tx: Db,
  run: SyncRun,
  outcome: CallOutcome,
  fault: DistributorFault,
  { now: at, hashes }: OutcomeContext,
): Promise<void> {
  const { window, traces } = outcome
  const { operationId, pointId, taskId, acc } = window
  const common = CREDENTIAL_NATURES.has(fault.nature) || fault.code === 'mass-refusal'
  const requestId = 'failed' in outcome ? outcome.failed.requestId : (traces.at(-1)?.requestId ?? '')
  return logSyncError(tx, {
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

/** Ends the whole task after the second refusal of the credentials, and notifies administrators once a day. */
async function failTask(
  tx: Db,
  run: SyncRun,
  taskId: string,
  fault: DistributorFault,
  settled: WindowUpdate[],
  outcomes: CallOutcome[],
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
