import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from './tracer.ts'

/** What a piece of work is done for: a call, or a job. Whose it is may be known only once it has been asked for. */
export type Purpose = {
  requestId?: string
  endpoint?: string
  job?: string
  jobId?: string
  company: () => number | undefined
  /** Where traces are kept. */
  span?: OpenSpan | undefined
}

const purposes = new AsyncLocalStorage<Purpose>()

export const during = <T>(purpose: Purpose, work: () => T): T => purposes.run(purpose, work)
export const purposeNow = (): Purpose | undefined => purposes.getStore()

/** As it stands in a line of the log. */
export const told = ({ company, span, ...rest }: Purpose) => ({
  ...rest,
  companyId: company(),
  traceId: span?.place.traceId,
})
