import { type PgBoss, systemClock } from 'pg-boss'
import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'
import type { Job } from './job.ts'
import { QUEUE_SCHEMA } from './migrate-queue.ts'
import type { createThrottledReporter } from './throttled-reporter.ts'

/** Sent jobs are announced; delayed and retried ones become due silently. */
const DUE_QUEUES_QUERY = `
  select q.name from ${QUEUE_SCHEMA}.queue q where exists (
    select 1 from ${QUEUE_SCHEMA}.job j
     where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
const POLL_INTERVAL_MS = 1000

/** Idle workers of that name fetch at once; busy ones as soon as they finish. */
export function notifyWorkers(queue: PgBoss, name: string) {
  for (const worker of queue.getWipData()) if (worker.name === name) queue.notifyWorker(worker.id)
}

/** One query a second for all queues, instead of one per worker. Returns the function that stops it. */
export function pollDueJobs(queue: PgBoss, report: ReturnType<typeof createThrottledReporter>): () => void {
  const ended = new AbortController()
  let timer = setTimeout(look, POLL_INTERVAL_MS)
  async function look() {
    try {
      const { rows } = await queue.getDb().executeSql(DUE_QUEUES_QUERY, [])
      for (const { name } of rows as { name: string }[]) notifyWorkers(queue, name)
    } catch (err) {
      if (!ended.signal.aborted) report('warn', Error.isError(err) ? err : { message: String(err) })
    }
    if (!ended.signal.aborted) timer = setTimeout(look, POLL_INTERVAL_MS)
  }
  return () => {
    ended.abort()
    clearTimeout(timer)
  }
}

/** Whether the present settings equal the wanted ones. */
export const hasSameSettings = (known: object | undefined, wanted: object) =>
  known !== undefined && Object.entries(wanted).every(([key, value]) => Reflect.get(known, key) === value)

/** A run missed while the server was down is made up for once. */
const SCHEDULE_OPTIONS = { tz: 'Europe/Paris', missed: 'once' } as const

/** Schedules each job that has a time, and unschedules the others. */
export async function scheduleJobs(queue: PgBoss, jobs: Record<string, Job>) {
  const existing = await queue.getSchedules()
  for (const [name, { cron }] of Object.entries(jobs))
    if (
      cron &&
      !existing.some((one) => one.name === name && one.cron === cron && hasSameSettings(one.options, SCHEDULE_OPTIONS))
    )
      await queue.schedule(name, cron, {}, SCHEDULE_OPTIONS)
  for (const { name, key } of existing) if (!jobs[name]?.cron) await queue.unschedule(name, key)
}

const CHECK_INTERVAL_MS = 5000
/** Smaller adjustments are normal for a synchronised clock. */
const MIN_JUMP_MS = 5000
const CLOCK_MOVED_FORWARD = 'L’horloge de cette machine a avancé d’un coup'
const CLOCK_MOVED_BACK = 'L’horloge de cette machine a reculé d’un coup'
const JOBS_RESTORED = 'L’horloge de la base a reculé\u00a0: les tâches ont été remises à l’heure'

/**
 * Times stored before the clock was set back would delay jobs until they come again. Pending jobs wait as long as
 * intended from now on; the queue checks jobs and schedule at once; frequent jobs run again, those with a time of day
 * have run. The database clock decides, since it is used to send and take jobs.
 */
const LATER = `now() + interval '${MIN_JUMP_MS} ms'`
const RESTORE_QUERIES = [
  `update jobs.job set start_after = now() + (start_after - created_on), created_on = now()
    where state in ('created', 'retry') and created_on > ${LATER}`,
  `update jobs.job set heartbeat_on = now() where state = 'active' and heartbeat_on > ${LATER}`,
  `update jobs.job set started_on = now() where state = 'active' and started_on > ${LATER}`,
  `update jobs.queue set monitor_claim_on = now() where monitor_claim_on > ${LATER}`,
  `update jobs.queue set maintain_on = now() where maintain_on > ${LATER}`,
  `update jobs.job j set singleton_on = null from jobs.schedule s
    where s.cron like '*%' and s.name in (j.name, j.data->>'name')
      and j.singleton_on > (${LATER}) at time zone 'UTC'`,
  // Last, because this row shows that the clock was set back.
  `update jobs.version set cron_on = now() where cron_on > ${LATER}`,
]
/**
 * The queue records every minute that it checked its schedule: that row in the future shows that the clock was set
 * back.
 */
const IS_CLOCK_SET_BACK_QUERY = `select coalesce(bool_or(cron_on > ${LATER}), false) as ahead from jobs.version`

/** Number of corrected times; `seen` when it is known that the clock was set back, which that row may not show yet. */
export async function restoreJobTimes({ $client }: Pick<Db, '$client'>, seen = false): Promise<number> {
  const { rows } = await $client.query<{ ahead: boolean }>(IS_CLOCK_SET_BACK_QUERY)
  let found = 0
  if (seen || rows[0]?.ahead)
    for (const statement of RESTORE_QUERIES) found += (await $client.query(statement)).rowCount ?? 0
  return found
}

/**
 * The clock of the queue's own timers: with the wall clock, setting it back would delay the schedule until that time
 * comes again. Its offset to the database clock is measured regularly.
 */
export const monotonicClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }
export const CLOCK_CHECK_SECONDS = 60

type Clocks = { day: () => number; steady: () => number }

/** How far the wall clock has moved since the last call, beyond the time that passed. */
export function createClockJumpDetector({ day, steady }: Clocks = { day: Date.now, steady: () => performance.now() }) {
  let last = day() - steady()
  return () => {
    const now = day() - steady()
    const moved = now - last
    last = now
    return Math.abs(moved) < MIN_JUMP_MS ? 0 : moved
  }
}

/** Logs a jump of the clock, and corrects the jobs that would wait for it. */
export function monitorClock(db: Pick<Db, '$client'>, log: Deps['log']): () => void {
  const moved = createClockJumpDetector()
  const timer = setInterval(() => {
    const by = moved()
    if (by) log.warn({ seconds: Math.round(by / 1000) }, by > 0 ? CLOCK_MOVED_FORWARD : CLOCK_MOVED_BACK)
    // The database may be on another machine, whose clock jumps unseen.
    restoreJobTimes(db, by < 0).then(
      (found) => found && log.warn({ found }, JOBS_RESTORED),
      () => {},
    )
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
