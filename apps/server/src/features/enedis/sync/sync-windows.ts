import type { SyncKind, SyncTask } from '@voisol/contract/sync'
import { QUALITY_CODES } from '@voisol/file-formats/curve-file-types'
import { createIntervals, toCurveDays } from '@voisol/file-formats/intervals'
import { and, eq, sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { syncWindows } from '../../../db/schema/index.ts'
import { getLatestDate } from '../../../integrations/enedis/enedis-exchange.ts'
import {
  buildDistributorFault,
  type DistributorFault,
  EnedisError,
  isDistributorFailure,
} from '../../../integrations/enedis/enedis-faults.ts'
import type {
  AgreementPoint,
  EnedisClient,
  EnedisCurve,
  EnedisCurvePoint,
  EnedisQuantity,
  ExchangeTrace,
} from '../../../integrations/enedis/enedis-types.ts'
import { normalizeMarks, RAW_MARK } from '../../energy/curves/index.ts'
import { connectToEnedis, pauseCalls, recordCallOutcome, recordExtraCalls } from '../credentials/index.ts'
import { listSyncMembers, type SyncDayRange } from './build-calls.ts'
import {
  type CallFailure,
  CallPostponedError,
  MAX_WAIT_MS,
  type SyncRun,
  toCallFailure,
  waitForSlot,
} from './call-slots.ts'
import { decideRetry, isConsentLoss } from './retry-policy.ts'

export type CallAnswer =
  | { kind: 'load-curve'; passes: PointDayReadings[][]; readings: number }
  | { kind: 'daily-energy'; days: { day: string; wh: number }[] }
  | { kind: 'agreement-series'; curves: EnedisCurve[] }
  | { kind: 'definitive'; quantities: EnedisQuantity[] }
  | { kind: 'perimeter'; points: AgreementPoint[]; access: PointAccess[] }
export type CallOutcome = { window: ClaimedWindow; traces: ExchangeTrace[]; at: Date } & (
  | { got: CallAnswer }
  | { failed: CallFailure }
  /** The call was not made; it can be made from this time on. */
  | { untouched: Date }
)

/** Failures that show that the distributor answers. Consent refusals are judged together with those of their batch. */
const ANSWERED_NATURES = new Set(['no-data', 'request', 'answer'])

/** Records the outcome and a requested pause for the credential, which also stops concurrent calls. */
async function reportOutcome(
  run: SyncRun,
  { failure, traces = [] }: { failure?: CallFailure; traces?: ExchangeTrace[] },
): Promise<void> {
  const { deps, credential, clock } = run
  const now = clock.now()
  const nature = failure?.fault.nature
  if (failure && isDistributorFailure(failure.fault)) {
    run.troubled = true
    await recordCallOutcome(deps.db, credential, 'failure', now)
  } else if (run.troubled && (!nature || ANSWERED_NATURES.has(nature))) {
    await recordCallOutcome(deps.db, credential, 'ok', now)
    run.troubled = false
  }
  const verdict = failure && decideRetry({ ...failure, attempts: 0, now })
  const until = getLatestDate(verdict?.pauseUntil, ...traces.map(({ retryAt }) => retryAt))
  if (!until || until <= now) return
  await pauseCalls(deps.db, credential, until, now)
  if (nature === 'auth' || until.getTime() - now.getTime() > MAX_WAIT_MS) run.haltedUntil = until
}

/** Makes one call within the quotas and returns its outcome. */
export async function callWindow(run: SyncRun, window: ClaimedWindow): Promise<CallOutcome> {
  const traces: ExchangeTrace[] = []
  const end = { window, traces }
  const lost = window.pointId ? run.blocked.get(window.pointId) : undefined
  if (lost) return { ...end, at: run.clock.now(), failed: { fault: lost, requestId: '' } }
  const wait = await waitForSlot(run)
  if (wait) return { ...end, at: run.clock.now(), untouched: wait }
  let slots = 1
  const client = connectToEnedis(run.deps, run.credential, {
    listen: (trace) => void traces.push(trace),
    timeout: run.timeout,
    now: () => run.clock.now().getTime(),
    turn: async () => {
      const later = await waitForSlot(run)
      if (later) throw new CallPostponedError(later)
      slots++
    },
  })
  try {
    const got = await callDistributor(run, client, window)
    await countExtraCalls(run, traces, got.kind === 'perimeter' ? slots + got.access.length : slots)
    await reportOutcome(run, { traces })
    return { ...end, at: run.clock.now(), got }
  } catch (error) {
    await countExtraCalls(run, traces, slots)
    if (error instanceof CallPostponedError) return { ...end, at: run.clock.now(), untouched: error.until }
    const failed = addRequestId(toCallFailure(error), traces)
    if (isConsentLoss(window, failed.fault) && window.pointId) run.blocked.set(window.pointId, failed.fault)
    await reportOutcome(run, { failure: failed, traces })
    return { ...end, at: run.clock.now(), failed }
  }
}

/** Adds the request id of the answer to our own error message. */
const addRequestId = (failed: CallFailure, traces: ExchangeTrace[]): CallFailure => ({
  ...failed,
  requestId: failed.requestId || (traces.at(-1)?.requestId ?? ''),
})

/** Counts the exchanges made beyond the reserved slots. */
const countExtraCalls = ({ deps, credential, clock }: SyncRun, traces: ExchangeTrace[], turns: number) =>
  recordExtraCalls(deps.db, credential, traces.length - turns, clock.now())

/** An agreement always has members: an empty list is an error, and the known members stay. */
const buildEmptyPerimeterError = (acc: string) =>
  new EnedisError(
    buildDistributorFault(
      'mismatch',
      200,
      `Le périmètre de la convention ${acc} est vide\u00a0: ses points étaient attendus.`,
    ),
  )
const toRole = (direction: string) => (direction === 'production' ? 'prod' : 'cons')

async function callDistributor(run: SyncRun, client: EnedisClient, window: ClaimedWindow): Promise<CallAnswer> {
  const { kind, subject: prm, pointId, from, to, acc } = window
  if (kind === 'perimeter') {
    const points = await client.agreement(acc)
    if (!points.length) throw buildEmptyPerimeterError(acc)
    return { kind, points, access: await fetchPointAccess(run, client, window) }
  }
  const direction = window.direction || 'consumption'
  if (kind === 'load-curve') {
    const curve = await client.loadCurve({ prm, direction, from, to })
    return { kind, passes: toCurveRows(pointId ?? '', curve, window), readings: curve.points.length }
  }
  if (kind === 'daily-energy') {
    return { kind, days: await client.dailyEnergy({ prm, direction, from, to }) }
  }
  if (kind === 'definitive')
    return { kind, quantities: await client.definitiveEnergy({ acc, prm, role: toRole(direction), from, to }) }
  return { kind, curves: await client.series({ acc, prm, type: 'autocons', from, to }) }
}

export type SyncJob = { companyId: number; credentialId: string }
/** A call claimed by this run. */
export type ClaimedWindow = {
  id: string
  taskId: string
  kind: SyncKind
  trigger: SyncTask['trigger']
  pointId: string | null
  subject: string
  direction: 'consumption' | 'production' | ''
  from: string
  to: string
  attempts: number
  /** The nature of its last failure. */
  last: string | null
  operationId: string
  acc: string
}

/** Calls that a killed process had started are queued again. */
export const resumeWindows = (db: Db, { companyId, credentialId }: SyncJob) =>
  db
    .update(syncWindows)
    .set({ status: 'waiting' })
    .where(
      and(
        eq(syncWindows.companyId, companyId),
        eq(syncWindows.credentialId, credentialId),
        eq(syncWindows.status, 'running'),
      ),
    )

/** Claims some of the due calls. Calls of a history import come last, because they are many and not urgent. */
export async function claimWindows(db: Db, { companyId, credentialId }: SyncJob, limit: number, now: Date) {
  const { rows } = await db.execute<ClaimedWindow>(sql`
    with due as (
      select w.id from sync_windows w
        join sync_tasks t on t.company_id = w.company_id and t.id = w.task_id
       where w.company_id = ${companyId} and w.credential_id = ${credentialId} and w.status = 'waiting'
         and w.next_at <= ${now.toISOString()}::timestamptz
       order by t.trigger = 'backfill', w.next_at, w.task_id, w.from_day, w.id limit ${limit} for update of w skip locked),
    taken as (
      update sync_windows w set status = 'running' from due
       where w.company_id = ${companyId} and w.id = due.id returning w.*)
    select w.id, w.task_id as "taskId", w.kind, t.trigger, w.point_id as "pointId", w.subject, w.direction,
           w.from_day::text as "from", w.to_day::text as "to", w.attempts, w.fault->>'nature' as last, t.operation_id as "operationId",
           coalesce(o.acc_number, '') as acc
      from taken w join sync_tasks t on t.company_id = ${companyId} and t.id = w.task_id
      join operations o on o.company_id = ${companyId} and o.id = t.operation_id
     order by w.task_id, w.from_day, w.id`)
  return rows
}

/** The end of the data access of a point, or why the distributor does not give it. */
type PointAccess = { pointId: string; prm: string } & (
  | { until: string | null }
  | { fault: DistributorFault; requestId: string }
)

/** The end of the data access of each point of the operation. An error for one point does not stop the others. */
async function fetchPointAccess(
  run: SyncRun,
  client: EnedisClient,
  { operationId, from, to }: ClaimedWindow,
): Promise<PointAccess[]> {
  const { companyId } = run.credential
  const members = await listSyncMembers(run.deps.db, { companyId, operationId, span: { from, to } })
  const found: PointAccess[] = []
  for (const { pointId, prm, link } of new Map(members.map((member) => [member.pointId, member])).values()) {
    if (link?.blockedAt) continue
    if (await waitForSlot(run)) break
    try {
      const services = await client.services(prm)
      await reportOutcome(run, {})
      const ends = services.flatMap(({ active, endsOn }) => (active && endsOn ? [endsOn] : []))
      found.push({ pointId, prm, until: ends.sort().at(-1) ?? null })
    } catch (error) {
      const failure = toCallFailure(error)
      await reportOutcome(run, { failure })
      found.push({ pointId, prm, fault: failure.fault, requestId: failure.requestId })
    }
  }
  return found
}

/** An interval that overlaps another or is not aligned to its step is dropped: it becomes a gap, never a zero. */
function toIntervals(points: EnedisCurvePoint[]) {
  const intervals = createIntervals(points.length)
  let end = Number.NEGATIVE_INFINITY
  for (const point of points) {
    const start = point.end - point.minutes
    if (start % point.minutes !== 0 || start < end) continue
    const at = intervals.length++
    intervals.starts[at] = start
    intervals.steps[at] = point.minutes
    intervals.watts[at] = point.watts
    intervals.quality[at] = QUALITY_CODES[point.quality]
    end = point.end
  }
  return intervals
}

/**
 * The requested days of an answer, as lists to be stored one after the other. Readings of a coarser step are stored
 * first, in their own pass: one that only repeats the mean of finer readings then changes nothing.
 */
function toCurveRows(pointId: string, { points }: EnedisCurve, { from, to }: SyncDayRange): PointDayReadings[][] {
  const byStep = Map.groupBy(points, ({ minutes }) => minutes)
  const coarseFirst = [...byStep].sort(([a], [b]) => b - a)
  return coarseFirst.map(([, same]) =>
    toCurveDays(toIntervals(same)).flatMap(({ day, step, watts, quality }) =>
      day >= from && day < to
        ? [{ pointId, day, ...normalizeMarks({ step, watts, marks: quality, quality: RAW_MARK }) }]
        : [],
    ),
  )
}
