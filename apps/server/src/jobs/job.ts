import { createHash } from 'node:crypto'
import type { QueueOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Deps } from '../deps.ts'

/**
 * One run of a job: `id` stays the same when it is repeated, `signal` fires when its result is no longer wanted, `last` says
 * that it is not tried again if it fails.
 */
export type JobRun = { id: string; signal: AbortSignal; last?: boolean }

type JobSettings = {
  /** Minute, hour, day, month, weekday in Paris time. */
  cron?: string
  /** Run as soon as a worker starts, too. */
  atStart?: boolean
  /** Long, and made of parts that are kept as they are done: it is cut short when the process stops. */
  stopsAtOnce?: boolean
  /**
   * Of those sent with `once`, one may wait while another of its key runs, and runs after it: what is asked for while that
   * one ends is not lost. Otherwise one that runs stands for what is asked for meanwhile.
   */
  follows?: boolean
  /** How many of one company may run at once in one process; where there are several, one slot more is for the others. */
  parallel?: number
  /** What differs from the common policy of retries, expiry and retention. */
  policy?: QueueOptions
}

/** A row of the table of jobs. Handlers may run twice: they give the same result. */
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

/** Thrown by a job that no repeat can help: it goes to the dead letters at once. */
export class PermanentJobError extends Error {}

/** The same text gives the same id: a job sent with it is kept once for as long as the first is remembered. */
export function toStableId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
