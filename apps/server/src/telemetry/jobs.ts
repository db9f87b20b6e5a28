import type { Telemetry } from './export.ts'
import { getCurrentPurpose, type Purpose, runWithPurpose } from './purpose.ts'
import { formatTraceParent, parseTraceParent, type TraceContext } from './tracer.ts'

/** The trace context of the sender, stored in the input of a waiting job. */
const TRACE_PARENT_KEY = '_traceparent'

export function addTraceParent(input: object): object {
  const span = getCurrentPurpose()?.span
  return span ? { ...input, [TRACE_PARENT_KEY]: formatTraceParent(span.place) } : input
}

/** The input without the trace context, which another process may have added even if this one does not trace. */
export function removeTraceParent(data: unknown): { data: unknown; sender: TraceContext | undefined } {
  if (typeof data !== 'object' || data === null || !(TRACE_PARENT_KEY in data)) return { data, sender: undefined }
  const { [TRACE_PARENT_KEY]: mark, ...input } = data
  return { data: input, sender: parseTraceParent(mark) }
}

/** A job is its own trace, linked to the one that sent it: it may run hours later, and more than once. */
export async function traceJob(
  telemetry: Telemetry | undefined,
  purpose: Purpose,
  sender: TraceContext | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const span = telemetry?.begin({ name: `job ${purpose.job}`, kind: 'consumer', links: sender ? [sender] : [] })
  const about = { 'voisol.job': purpose.job, 'voisol.job_id': purpose.jobId, 'voisol.company_id': purpose.company() }
  try {
    await runWithPurpose({ ...purpose, span }, work)
    span?.end(about, false)
  } catch (error) {
    span?.end({ ...about, 'error.type': error instanceof Error ? error.constructor.name : typeof error }, true)
    throw error
  }
}
