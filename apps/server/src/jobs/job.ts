import { createHash } from 'node:crypto'
import type { QueueOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Deps } from '../deps.ts'

/**
 * One run of a job: `id` stays the same over retries, `signal` fires when its result is no longer wanted, `last` means
 * that it is not retried if it fails.
 */
export type JobRun = { id: string; signal: AbortSignal; last?: boolean }

type JobSettings = {
  /** Minute, hour, day, month, weekday in Paris time. */
  cron?: string
  /** Also runs as soon as a worker starts. */
  atStart?: boolean
  /** Long, with results stored part by part: it is interrupted when the process stops. */
  stopsAtOnce?: boolean
  /**
   * With `once`, one job may wait while another of its key runs, and runs after it, so that a request made during the
   * run is not lost. Otherwise the running one stands for requests made meanwhile.
   */
  follows?: boolean
  /**
   * How many jobs of one company may run at once in a process; if several, one more slot is kept for other companies.
   */
  parallel?: number
  /** Differences from the default policy of retries, expiry and retention. */
  policy?: QueueOptions
}

/** Filled with the rows of `registry.ts`, so that whoever sends a job need not import it. */
// biome-ignore lint/suspicious/noEmptyInterface: its members come from the table of jobs
export interface JobTable {}
export type JobName = keyof JobTable
export type JobInputs = {
  [N in JobName]: JobTable[N] extends { input: infer S extends z.ZodType } ? z.input<S> : never
}

/** A row of the table of jobs. Handlers may run twice, so they must be idempotent. */
export type Job<S extends z.ZodType = z.ZodType> = JobSettings & {
  input: S
  run(deps: Deps, data: unknown, task: JobRun): Promise<void>
}

export const defineJob = <S extends z.ZodType>(
  row: JobSettings & { input: S; run(deps: Deps, input: z.output<S>, task: JobRun): Promise<void> },
): Job<S> => ({
  ...row,
  run: async (deps, data, task) => {
    const input = row.input.safeParse(data)
    if (!input.success) throw new PermanentJobError('the input is not what this job takes', { cause: input.error })
    return row.run(deps, input.data, task)
  },
})

/** The jobs that may send a message: the queue gives the mail server to no other, and the health metrics count these. */
export const MAIL_JOBS = [
  'mail.send',
  'invoice.mail',
  'invoice.mails',
  'reminder.mail',
  'messages.mail',
  'reports.mail',
] as const

/** Thrown by a job that no retry can help: it becomes a dead letter at once. */
export class PermanentJobError extends Error {}

/** The same text gives the same id: a job sent with it is stored once, as long as the first is kept. */
export function toStableId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
