import type { Telemetry } from './export.ts'
import { during, type Purpose, purposeNow } from './purpose.ts'
import { type Place, readPlace, writePlace } from './span.ts'

/** Beside the input of a job, while it waits: where in which trace it was sent. */
const MARK = '_traceparent'

export function marked(input: object): object {
  const span = purposeNow()?.span
  return span ? { ...input, [MARK]: writePlace(span.place) } : input
}

/** The input as it was given; it may have been marked by another process than one that traces. */
export function unmarked(data: unknown): { data: unknown; sender: Place | undefined } {
  if (typeof data !== 'object' || data === null || !(MARK in data)) return { data, sender: undefined }
  const { [MARK]: mark, ...input } = data
  return { data: input, sender: readPlace(mark) }
}

/** A job is a trace of its own, linked to the one that sent it: it may run hours later, and more than once. */
export async function traceJob(
  telemetry: Telemetry | undefined,
  purpose: Purpose,
  sender: Place | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const span = telemetry?.begin({ name: `job ${purpose.job}`, kind: 'consumer', links: sender ? [sender] : [] })
  const about = { 'voisol.job': purpose.job, 'voisol.job_id': purpose.jobId, 'voisol.company_id': purpose.company() }
  try {
    await during({ ...purpose, span }, work)
    span?.end(about, false)
  } catch (error) {
    span?.end({ ...about, 'error.type': error instanceof Error ? error.constructor.name : typeof error }, true)
    throw error
  }
}
