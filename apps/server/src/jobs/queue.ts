import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { type Db as OfQueue, PgBoss, type QueueOptions } from 'pg-boss'
import { CONNECTION_OPTIONS, type DatabaseContext, type Db, queryPrepared, scopeToCompany } from '../db/client.ts'
import { monitorPool } from '../db/connection-pool.ts'
import { retryOnDeadlock } from '../db/database-errors.ts'
import type { Deps } from '../deps.ts'
import type { Telemetry } from '../telemetry/export.ts'
import { getCurrentPurpose, type Purpose, runWithPurpose } from '../telemetry/purpose.ts'
import type { TraceContext } from '../telemetry/span.ts'
import { formatTraceParent, parseTraceParent } from '../telemetry/tracer.ts'
import type { JobInputs, JobName } from './job.ts'
import { type Job, MAIL_JOBS, PermanentJobError } from './job.ts'
import {
  CLOCK_CHECK_SECONDS,
  hasSameSettings,
  monitorClock,
  monotonicClock,
  notifyWorkers,
  pollDueJobs,
  scheduleJobs,
} from './job-schedule.ts'
import { QUEUE_SCHEMA } from './migrate-queue.ts'
import { createThrottledReporter } from './throttled-reporter.ts'

export const DEAD_LETTER = 'dead-letter'
/** A dead worker is detected 20 s after its last heartbeat, checked every 10 s: its job runs again within a minute. */
const DEFAULT_POLICY = {
  retryLimit: 8,
  retryDelay: 3,
  retryBackoff: true,
  retryDelayMax: 3600,
  heartbeatSeconds: 20,
  expireInSeconds: 1800,
} satisfies QueueOptions
const HEARTBEAT_REFRESH_SECONDS = 5
const SUPERVISE_SECONDS = 10
const STOP_TIMEOUT_MS = 20_000
/** How long an unnotified worker waits: every second workers with due jobs are notified (due.ts). */
const IDLE_POLL_SECONDS = 30
/**
 * Some eighty workers share four connections: on a slow database one waits longer than a person's call would. A lost
 * connection is detected by `monitorPool` long before.
 */
const POOL_WAIT_TIMEOUT_MS = 30_000
/** How often a following job is sent again, when the waiting one is taken each time before it can be locked. */
const MAX_SEND_ATTEMPTS = 10

type JobTable = Record<string, Job>
/** An open queue: its jobs, the signal before it stops, and the databases that send through it. */
type OpenQueue = { jobs: JobTable; stopping: AbortController; served: DatabaseContext[]; watches: (() => void)[] }
const openQueues = new WeakMap<PgBoss, OpenQueue>()

type EnqueueOptions = { once?: string; id?: string; after?: number }

/**
 * Sends a job, committed with the caller's transaction. False when it was not added: with `once` another of that key is
 * waiting, or running and the job does not follow; with `id` it was sent before. `after` is in seconds.
 */
export async function enqueue<N extends JobName>(
  tx: Db,
  name: N,
  input: JobInputs[N],
  options: EnqueueOptions = {},
): Promise<boolean> {
  const { queue } = tx.$jobs
  if (!queue) throw new Error('the queue is not started')
  const { once } = options
  const follows = once !== undefined && openQueues.get(queue)?.jobs[name]?.follows === true
  for (let tries = 0; tries < MAX_SEND_ATTEMPTS; tries++) {
    if (await sendJob(queue, tx, name, input, options, follows)) return true
    // A job taken at this moment may have read its input already: another is sent.
    if (!follows || (await lockWaitingJob(tx, name, once))) return false
  }
  return false
}

/** The trace context of the sender, stored in the input of a waiting job. */
const TRACE_PARENT_KEY = '_traceparent'

function addTraceParent(input: object): object {
  const span = getCurrentPurpose()?.span
  return span ? { ...input, [TRACE_PARENT_KEY]: formatTraceParent(span.place) } : input
}

/** The input without the trace context, which another process may have added even if this one does not trace. */
function removeTraceParent(data: unknown): { data: unknown; sender: TraceContext | undefined } {
  if (typeof data !== 'object' || data === null || !(TRACE_PARENT_KEY in data)) return { data, sender: undefined }
  const { [TRACE_PARENT_KEY]: mark, ...input } = data
  return { data: input, sender: parseTraceParent(mark) }
}

/** A job is its own trace, linked to the one that sent it: it may run hours later, and more than once. */
async function traceJob(
  telemetry: Telemetry | undefined,
  purpose: Purpose,
  sender: TraceContext | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const span = telemetry?.begin({ name: `job ${purpose.job}`, kind: 'consumer', links: sender ? [sender] : [] })
  const about = { 'voisol.job': purpose.job, 'voisol.job_id': purpose.jobId, 'voisol.company_id': purpose.company() }
  try {
    await runWithPurpose({ ...purpose, span }, work)
    span?.end(about, false)
  } catch (error) {
    span?.end({ ...about, 'error.type': error instanceof Error ? error.constructor.name : typeof error }, true)
    throw error
  }
}

async function sendJob(queue: PgBoss, tx: Db, name: string, input: object, options: EnqueueOptions, follows: boolean) {
  // Queues hold one waiting or running job per key: jobs without `once` get a unique key.
  const singletonKey = options.once ?? randomUUID()
  const group = follows ? singletonKey : getCompanyIdOfJob(input)?.toString()
  const id = await queue.send(name, addTraceParent(input), {
    singletonKey,
    priority: -(await loadFairJobPlace(tx, name, input, options.once)),
    ...(group !== undefined && { group: { id: group } }),
    ...(options.id && { id: options.id }),
    ...(options.after && { startAfter: options.after }),
    db: { executeSql: (text, values) => tx.$client.query(text, values) },
  })
  return id !== null
}

/** Locks the waiting job until the caller's transaction ends, so that it will see what the caller wrote. */
async function lockWaitingJob(tx: Db, name: string, key: string): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `select 1 from jobs.job where name = $1 and singleton_key = $2 and state = 'created' for share`,
    [name, key],
  )
  return rowCount !== 0
}

/** Whether a delayed job of that name is pending for the same company. */
export async function isLaterJobPending(db: Db, name: JobName, companyId: number): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    `select 1 from jobs.job where name = $1 and state = 'created' and start_after > now() and data->>'companyId' = $2 limit 1`,
    [name, String(companyId)],
  )
  return rowCount !== 0
}

/**
 * Opens the queue for sending; with `work` this process also runs jobs, from `startWorkers` on. Jobs that run at every
 * start are sent first: no worker competes with the start.
 */
export async function openQueue(deps: Deps, url: string, jobs: JobTable, work: boolean) {
  const queue = new PgBoss({
    connectionString: url,
    schema: QUEUE_SCHEMA,
    // The tables are created and migrated by the owner (migrate-queue.ts).
    migrate: false,
    reindex: false,
    ...CONNECTION_OPTIONS,
    connectionTimeoutMillis: POOL_WAIT_TIMEOUT_MS,
    max: 4,
    application_name: 'voisol-jobs',
    supervise: work,
    schedule: work,
    clock: monotonicClock,
    clockMonitorIntervalSeconds: CLOCK_CHECK_SECONDS,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // LISTEN needs a connection of its own; behind a transaction pooler, jobs are polled.
    useListenNotify: work && !deps.db.$jobs.forgetful,
  })
  const served = [deps.db.$jobs, deps.aside.$jobs]
  openQueues.set(queue, { jobs, stopping: new AbortController(), served, watches: [] })
  const report = createThrottledReporter(deps.log)
  queue.on('error', (err) => report('error', err))
  queue.on('warning', (warning) => report('warn', warning))
  try {
    await queue.start()
    monitorPool(getQueuePool(queue))
    await declareQueues(queue, deps.db, jobs)
    if (work) {
      await scheduleJobs(queue, jobs)
      for (const [name, { atStart }] of Object.entries(jobs)) if (atStart) await queue.send(name, {})
    }
    // The first job may send another while the last still waits for its worker.
    for (const sending of served) sending.queue = queue
  } catch (error) {
    detachQueue(queue)
    await queue.stop({ graceful: false }).catch(() => {})
    throw error
  }
  return queue
}

/** Opens the queue and, with `work`, runs its jobs at once. */
export async function startQueue(deps: Deps, url: string, jobs: JobTable, work: boolean) {
  const queue = await openQueue(deps, url, jobs, work)
  if (!work) return queue
  try {
    await startWorkers(queue, deps)
  } catch (error) {
    detachQueue(queue)
    await queue.stop({ graceful: false }).catch(() => {})
    throw error
  }
  return queue
}

/** The queue opens its own pool, which is private. */
const getQueuePool = (queue: PgBoss) => (queue.getDb() as OfQueue & { pool: pg.Pool }).pool

function stopMonitors(queue: PgBoss) {
  for (const end of openQueues.get(queue)?.watches.splice(0) ?? []) end()
}

function detachQueue(queue: PgBoss) {
  stopMonitors(queue)
  for (const sending of openQueues.get(queue)?.served ?? []) if (sending.queue === queue) sending.queue = undefined
}

/** Existing queues get the policy of this version; waiting jobs keep the one they were sent with. */
async function declareQueues(queue: PgBoss, db: Db, jobs: JobTable) {
  await queue.createQueue(DEAD_LETTER)
  const known = new Map((await queue.getQueues()).map((one) => [one.name, one]))
  for (const [name, row] of Object.entries(jobs)) {
    const policy = row.follows ? 'short' : 'exclusive'
    const settings = { ...DEFAULT_POLICY, ...row.policy, deadLetter: DEAD_LETTER, notify: true }
    // The usual case, at every start but the first of a version.
    if (hasSameSettings(known.get(name), { ...settings, policy })) continue
    await queue.createQueue(name, { ...settings, policy })
    // All queues share one table with the indexes of every policy, so that nothing else has to change.
    await db.execute(sql`update jobs.queue set policy = ${policy} where name = ${name} and policy <> ${policy}`)
    await queue.updateQueue(name, settings)
  }
}

/** One slot more than a company may use, so that whatever it has sent, other companies need not wait. */
function getConcurrency({ parallel = 1, follows }: Job) {
  if (follows) return { localConcurrency: parallel, groupConcurrency: 1 }
  return parallel === 1 ? { localConcurrency: 1 } : { localConcurrency: parallel + 1, localGroupConcurrency: parallel }
}

/** Waits until earlier callers are served: each worker fetches a job as soon as it begins. */
async function waitForConnection(pool: pg.Pool) {
  while (pool.waitingCount > 0 && !pool.ending) await once(pool, 'release')
}

/** Runs the jobs of an open queue, starting one worker after the other. */
export async function startWorkers(queue: PgBoss, deps: Deps) {
  const { jobs = {} } = openQueues.get(queue) ?? {}
  const pool = getQueuePool(queue)
  for (const [name, row] of Object.entries(jobs)) {
    await waitForConnection(pool)
    const options = {
      batchSize: 1,
      pollingIntervalSeconds: IDLE_POLL_SECONDS,
      notifyPollingIntervalSeconds: IDLE_POLL_SECONDS,
      heartbeatRefreshSeconds: HEARTBEAT_REFRESH_SECONDS,
      perJobResults: true,
      ...getConcurrency(row),
    } as const
    const stopping = row.stopsAtOnce ? openQueues.get(queue)?.stopping.signal : undefined
    const atWork = createJobDeduplicator<JobOutcome>()
    await queue.work(name, options, async (tasks) => {
      const outcomes = await Promise.all(
        tasks.map((task) => atWork(task.id, () => runJob(deps, name, row, task, stopping))),
      )
      // Other jobs may wait for the slot that became free.
      notifyWorkers(queue, name)
      return outcomes
    })
  }
  const report = createThrottledReporter(deps.log)
  openQueues.get(queue)?.watches.push(pollDueJobs(queue, report), monitorClock(deps.aside, deps.log))
}

/** A job whose input names a company may write only for that one. */
function scopeDepsToCompany(deps: Deps, data: unknown): Deps {
  const companyId = getCompanyIdOfJob(data)
  return companyId === undefined ? deps : { ...deps, db: scopeToCompany(deps.db, companyId) }
}

/** Other jobs send through `mail.send`: their retries would give a message up while the mail server is still away. */
function withoutMailer(deps: Deps, name: string): Deps {
  if (MAIL_JOBS.some((one) => one === name)) return deps
  const send = async () => {
    throw new PermanentJobError(`the job ${name} sends mail and is not one of MAIL_JOBS`)
  }
  return { ...deps, mailer: { ...deps.mailer, send } }
}

type QueuedJob = { id: string; data: unknown; signal: AbortSignal; retryCount: number }
type JobOutcome = { id: string; status: 'completed' | 'failed' | 'deadletter'; output?: { message: string } }

async function runJob(
  deps: Deps,
  name: string,
  row: Job,
  task: QueuedJob,
  stopping?: AbortSignal,
): Promise<JobOutcome> {
  const { id, retryCount } = task
  const { data, sender } = removeTraceParent(task.data)
  const signal = stopping ? AbortSignal.any([task.signal, stopping]) : task.signal
  try {
    const last = retryCount >= (row.policy?.retryLimit ?? DEFAULT_POLICY.retryLimit)
    const purpose = { job: name, jobId: id, company: () => getCompanyIdOfJob(data) }
    const work = () => row.run(withoutMailer(scopeDepsToCompany(deps, data), name), data, { id, signal, last })
    await traceJob(deps.telemetry, purpose, sender, () => retryOnDeadlock(work))
    return { id, status: 'completed' }
  } catch (err) {
    if (stopping?.aborted) return { id, status: 'failed', output: { message: 'the process stopped' } }
    deps.room.note(err)
    const hopeless = err instanceof PermanentJobError
    deps.log.warn({ err, job: name, id, attempt: retryCount + 1, hopeless }, 'job failed')
    const output = { message: err instanceof Error ? err.message : String(err) }
    return { id, status: hopeless ? 'deadletter' : 'failed', output }
  }
}

/** Waits for the work, at most that long. */
async function waitAtMost(ms: number, work: Promise<unknown>[]) {
  const late = new AbortController()
  await Promise.race([Promise.allSettled(work), setTimeout(ms, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}

/**
 * Takes no new job, lets running ones end or interrupts those that allow it, and after 20 s returns them to be run
 * elsewhere.
 */
export async function stopQueue(queue: PgBoss) {
  const { jobs = {}, stopping } = openQueues.get(queue) ?? {}
  stopMonitors(queue)
  stopping?.abort()
  const from = performance.now()
  // Mostly nothing is running: the queue alone would check only after half a second.
  await waitAtMost(
    STOP_TIMEOUT_MS,
    Object.keys(jobs).map((name) => queue.offWork(name)),
  )
  await queue.stop({ graceful: true, timeout: Math.max(1000, STOP_TIMEOUT_MS - (performance.now() - from)) })
  detachQueue(queue)
}

function getCompanyIdOfJob(data: unknown): number | undefined {
  const companyId = typeof data === 'object' && data && 'companyId' in data ? data.companyId : undefined
  return typeof companyId === 'number' ? companyId : undefined
}

/** The position of the job to serve next, and of the last job of a company. Delayed jobs have no position. */
const JOB_PLACES_QUERY = `
  select (select -priority from jobs.job
           where name = $1 and state < 'active' and not blocked and start_after <= now()
           order by priority desc, created_on limit 1) as next,
         (select -priority from jobs.job
           where name = $1 and state < 'active' and data->>'companyId' = $2 and start_after <= now()
           order by priority limit 1) as last`

/**
 * Companies take turns (start-time fair queueing): a job gets the position after the last of its company, and never one
 * before the position being served. A company's single job is next however many another has sent, and nobody waits
 * forever. Two sent at the same moment may get the same position, served in order of arrival.
 */
async function loadFairJobPlace(tx: Db, name: string, input: object, once: string | undefined): Promise<number> {
  const companyId = getCompanyIdOfJob(input)
  // A company's only job of that name needs no order among its own.
  if (companyId === undefined || once === String(companyId)) return 0
  const { rows } = await queryPrepared<{ next: number | null; last: number | null }>(
    tx,
    'job-places',
    JOB_PLACES_QUERY,
    [name, String(companyId)],
  )
  const { next = null, last = null } = rows[0] ?? {}
  return Math.max(next ?? 0, last === null ? 0 : last + 1)
}

/** Longer than the queue takes to hand out an abandoned job again. */
const COMPLETED_RETENTION_MS = 600_000

/**
 * When the clock jumps forward, a running job looks abandoned and is handed out again. The second run in this process
 * waits for the first, or finds it done; a failed job is run again, as it should be.
 */
export function createJobDeduplicator<T extends { status: string }>(steady = () => performance.now()) {
  const begun = new Map<string, { outcome: Promise<T>; endedAt: number | undefined }>()
  const forget = () => {
    for (const [id, { endedAt }] of begun)
      if (endedAt !== undefined && endedAt < steady() - COMPLETED_RETENTION_MS) begun.delete(id)
  }
  return (id: string, work: () => Promise<T>): Promise<T> => {
    forget()
    const known = begun.get(id)
    if (known) return known.outcome
    const own: { outcome: Promise<T>; endedAt: number | undefined } = { outcome: work(), endedAt: undefined }
    begun.set(id, own)
    const end = (outcome?: T) => {
      if (outcome?.status === 'completed') own.endedAt = steady()
      else begun.delete(id)
    }
    own.outcome.then(end, () => end())
    return own.outcome
  }
}
