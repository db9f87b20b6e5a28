import type { PgBoss } from 'pg-boss'
import type { Job } from './job.ts'

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
