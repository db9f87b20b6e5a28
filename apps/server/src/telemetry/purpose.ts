import { AsyncLocalStorage } from 'node:async_hooks'
import type { ActiveSpan } from './span.ts'

/** What caused a piece of work: a call, or a job. The company may be known only later. */
export type Purpose = {
  requestId?: string
  endpoint?: string
  job?: string
  jobId?: string
  company: () => number | undefined
  /** Set when tracing is enabled. */
  span?: ActiveSpan | undefined
}

const purposes = new AsyncLocalStorage<Purpose>()

export const runWithPurpose = <T>(purpose: Purpose, work: () => T): T => purposes.run(purpose, work)
export const getCurrentPurpose = (): Purpose | undefined => purposes.getStore()
