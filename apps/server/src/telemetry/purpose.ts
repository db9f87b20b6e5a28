import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActiveSpan } from './tracer.ts'

/** What a piece of work is done for: a call, or a job. Whose it is may be known only once it has been asked for. */
export type Purpose = {
  requestId?: string
  endpoint?: string
  job?: string
  jobId?: string
  company: () => number | undefined
  /** Where traces are kept. */
  span?: ActiveSpan | undefined
}

const purposes = new AsyncLocalStorage<Purpose>()

export const runWithPurpose = <T>(purpose: Purpose, work: () => T): T => purposes.run(purpose, work)
export const getCurrentPurpose = (): Purpose | undefined => purposes.getStore()

/** As it stands in a line of the log. */
export const toLogFields = ({ company, span, ...rest }: Purpose) => ({
  ...rest,
  companyId: company(),
  traceId: span?.place.traceId,
})
