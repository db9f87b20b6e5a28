import { systemClock } from 'pg-boss'
import type { Db } from '../db/client.ts'
import type { Deps } from '../deps.ts'

const CHECK_INTERVAL_MS = 5000
/** Less is what a clock that is kept by the network does every day. */
const MIN_JUMP_MS = 5000
const CLOCK_MOVED_FORWARD = 'L’horloge de cette machine a avancé d’un coup'
const CLOCK_MOVED_BACK = 'L’horloge de cette machine a reculé d’un coup'
const JOBS_RESTORED = 'L’horloge de la base a reculé\u00a0: les tâches ont été remises à l’heure'

/**
 * What was written by a clock set back since would hold until that moment comes again. A job waits as long as it was meant
 * to, from now on; the queue looks after its jobs and its schedule at once; what comes every few minutes comes again,
 * what has its hour in the day has had it. The database's own clock decides: jobs are sent and taken by it.
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
  // Last: it is what shows that the clock was set back.
  `update jobs.version set cron_on = now() where cron_on > ${LATER}`,
]
/** The queue notes every minute that it has looked at its schedule: one row says whether that is yet to come. */
const IS_CLOCK_SET_BACK_QUERY = `select coalesce(bool_or(cron_on > ${LATER}), false) as ahead from jobs.version`

/** How many things had to be brought back; `seen` where it is known that the clock was set back, which that row may not tell yet. */
export async function restoreJobTimes({ $client }: Pick<Db, '$client'>, seen = false): Promise<number> {
  const { rows } = await $client.query<{ ahead: boolean }>(IS_CLOCK_SET_BACK_QUERY)
  let found = 0
  if (seen || rows[0]?.ahead)
    for (const statement of RESTORE_QUERIES) found += (await $client.query(statement)).rowCount ?? 0
  return found
}

/**
 * What the queue's own timers follow: by the clock of the day, one that was set back would let its schedule wait until that
 * hour comes again. How far it is from the database's clock is measured every so often.
 */
export const monotonicClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }
export const CLOCK_CHECK_SECONDS = 60

type Clocks = { day: () => number; steady: () => number }

/** By how much the clock of the day has moved since it was last asked, beyond the time that has passed. */
export function createClockJumpDetector({ day, steady }: Clocks = { day: Date.now, steady: () => performance.now() }) {
  let last = day() - steady()
  return () => {
    const now = day() - steady()
    const moved = now - last
    last = now
    return Math.abs(moved) < MIN_JUMP_MS ? 0 : moved
  }
}

/** Says when the clock has jumped, and sees to the jobs that would wait for it. */
export function monitorClock(db: Pick<Db, '$client'>, log: Deps['log']): () => void {
  const moved = createClockJumpDetector()
  const timer = setInterval(() => {
    const by = moved()
    if (by) log.warn({ seconds: Math.round(by / 1000) }, by > 0 ? CLOCK_MOVED_FORWARD : CLOCK_MOVED_BACK)
    // The database may be on another machine, whose clock nobody here sees move.
    restoreJobTimes(db, by < 0).then(
      (found) => found && log.warn({ found }, JOBS_RESTORED),
      () => {},
    )
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
