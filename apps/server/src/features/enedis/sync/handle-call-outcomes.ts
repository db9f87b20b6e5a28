import { formatCount } from '@voisol/file-formats/french'
import { and, eq, sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { enedisCredentials, syncWindows } from '../../../db/schema/index.ts'
import { buildDistributorFault, type DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import { openCircuitForRefusals, recordCallOutcome } from '../credentials/index.ts'
import { blockPoint } from './blocked-points.ts'
import { getParisTime, type SyncRun } from './call-slots.ts'
import { decideRetry, isConsentLoss } from './retry-policy.ts'
import type { Refusal } from './store-answers.ts'
import { logSyncError } from './sync-errors.ts'
import type { CallAnswer, CallOutcome } from './sync-windows.ts'

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

/** A day with several steps may be complete and still differ from what the meter recorded. */
function hasMixedSteps(passes: PointDayReadings[][]): boolean {
  const seen = new Set<string>()
  return passes.some((rows) =>
    rows.some(({ day }) => {
      const isSeen = seen.has(day)
      seen.add(day)
      return isSeen
    }),
  )
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

/** So many points, and most of the requested ones: so many consents are not lost within an hour. */
const MIN_MASS_POINTS = 4
const HOUR_MS = 3_600_000
/** A refusal that lasts longer than this is accepted as genuine. */
const MAX_DOUBT_MS = 24 * HOUR_MS

type RefusedOutcome = Extract<CallOutcome, { failed: unknown }>
const isRefused = (outcome: CallOutcome): outcome is RefusedOutcome =>
  'failed' in outcome && isConsentLoss(outcome.window, outcome.failed.fault) && outcome.window.pointId !== null
const getPointIds = (outcomes: CallOutcome[]) => new Set(outcomes.flatMap(({ window }) => window.pointId ?? []))

const getFaultCodes = (refused: RefusedOutcome[]) =>
  sql.param([...new Set(refused.map(({ failed }) => failed.fault.code))])
const toSqlHourAgo = (now: Date) => sql`${new Date(now.getTime() - HOUR_MS).toISOString()}::timestamptz`

/** Points blocked within the last hour for the same reason. */
async function listRecentlyBlockedPoints(
  tx: Db,
  { credential }: SyncRun,
  refused: RefusedOutcome[],
  now: Date,
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select point_id as id from point_links where company_id = ${credential.companyId}
       and blocked_at > ${toSqlHourAgo(now)} and fault->>'code' = any(${getFaultCodes(refused)}::text[])`)
  return rows.map(({ id }) => id)
}

async function isMassRefusal(
  tx: Db,
  run: SyncRun,
  outcomes: CallOutcome[],
  refused: RefusedOutcome[],
  now: Date,
): Promise<boolean> {
  const { companyId, id } = run.credential
  const [row] = await tx
    .select({ since: enedisCredentials.refusingSince })
    .from(enedisCredentials)
    .where(and(eq(enedisCredentials.companyId, companyId), eq(enedisCredentials.id, id)))
    .for('update')
  if (row?.since) return now.getTime() - row.since.getTime() < MAX_DOUBT_MS
  const answered = getPointIds(outcomes.filter((outcome) => 'got' in outcome))
  const together = getPointIds(refused)
  if (together.size <= answered.size) return false
  return new Set([...together, ...(await listRecentlyBlockedPoints(tx, run, refused, now))]).size >= MIN_MASS_POINTS
}

const buildMassFault = ({ fault }: RefusedOutcome['failed'], many: number): DistributorFault => ({
  ...buildDistributorFault(
    'mass-refusal',
    fault.status,
    `${formatCount(many, 'point refusé', 'points refusés')} (${fault.code})`,
  ),
})

/**
 * Simultaneous consent refusals of many points are an error of the distributor: they are retried like one, points
 * blocked just before are resumed, and the calls of the credential pause until one succeeds.
 */
async function handleMassRefusals(tx: Db, run: SyncRun, outcomes: CallOutcome[], now: Date): Promise<CallOutcome[]> {
  const refused = outcomes.filter(isRefused)
  if (!refused.length) return outcomes
  if (!(await isMassRefusal(tx, run, outcomes, refused, now))) {
    // A genuine refusal shows that the distributor answers.
    if (run.troubled) await recordCallOutcome(tx, run.credential, 'refused', now)
    run.troubled = false
    return outcomes
  }
  await tx.execute(sql`
    update point_links set blocked_at = null, fault = null where company_id = ${run.credential.companyId}
       and blocked_at > ${toSqlHourAgo(now)} and fault->>'code' = any(${getFaultCodes(refused)}::text[])`)
  await openCircuitForRefusals(tx, run.credential, now)
  run.troubled = true
  run.blocked.clear()
  const many = getPointIds(refused).size
  return outcomes.map((outcome) =>
    isRefused(outcome)
      ? { ...outcome, failed: { ...outcome.failed, fault: buildMassFault(outcome.failed, many) } }
      : outcome,
  )
}
