import type { PgBoss } from 'pg-boss'
import type { Job } from './job.ts'

/** Whether what is known says already all that is wanted. */
export const isSame = (known: object | undefined, wanted: object) =>
  known !== undefined && Object.entries(wanted).every(([key, value]) => Reflect.get(known, key) === value)

/** A night missed because the server was down is made up for once. */
const BY_CLOCK = { tz: 'Europe/Paris', missed: 'once' } as const

/** Has the queue send each job at its hour, and no longer those that have none. */
export async function setClock(queue: PgBoss, jobs: Record<string, Job>) {
  const known = await queue.getSchedules()
  for (const [name, { cron }] of Object.entries(jobs))
    if (cron && !known.some((one) => one.name === name && one.cron === cron && isSame(one.options, BY_CLOCK)))
      await queue.schedule(name, cron, {}, BY_CLOCK)
  for (const { name, key } of known) if (!jobs[name]?.cron) await queue.unschedule(name, key)
}
