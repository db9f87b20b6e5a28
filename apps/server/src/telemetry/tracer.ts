import { getSystemErrorCode } from '../db/causes.ts'
import { maskStatement } from './mask-statement.ts'
import type { Purpose } from './purpose.ts'
import { createTraceContext, type SpanAttributes, type SpanKind, type TraceContext, type TraceSpan } from './span.ts'
import type { ExecutedStatement } from './statements.ts'

/** A job may run tens of thousands of statements: the first are traced, the rest counted. */
const MAX_TRACED_STATEMENTS = 500

/** An active span. Its children use its clock, so that they stay within it when the machine's clock is set. */
export type ActiveSpan = {
  place: TraceContext
  statements: number
  at(perf: number): number
  end(attributes: SpanAttributes, failed: boolean): void
}
type SpanOptions = { name: string; kind: SpanKind; parent?: TraceContext | undefined; links?: TraceContext[] }

const getStatementVerb = (text: string) => /\w+/.exec(text)?.[0].toUpperCase() ?? 'QUERY'

export function createTracer(share: number, keep: (span: TraceSpan) => void) {
  function begin({ name, kind, parent, links = [] }: SpanOptions): ActiveSpan {
    const place = createTraceContext(parent, share)
    const [wall, started] = [Date.now(), performance.now()]
    const at = (perf: number) => wall + perf - started
    const open: ActiveSpan = {
      place,
      statements: 0,
      at,
      end(attributes, failed) {
        if (!place.sampled) return
        const counted = { ...attributes, 'voisol.statements': open.statements }
        const times = { from: wall, to: at(performance.now()) }
        keep({ place, parentId: parent?.spanId, name, kind, ...times, attributes: counted, links, failed })
      },
    }
    return open
  }

  function statement({ text, from, ms, rows, error }: ExecutedStatement, purpose: Purpose | undefined) {
    const span = purpose?.span
    if (!span?.place.sampled) return
    span.statements++
    if (span.statements > MAX_TRACED_STATEMENTS) return
    const asked = maskStatement(text)
    keep({
      place: createTraceContext(span.place, share),
      parentId: span.place.spanId,
      name: getStatementVerb(asked),
      kind: 'client',
      from: span.at(from),
      to: span.at(from + ms),
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': asked,
        'db.response.returned_rows': rows,
        'db.response.status_code': getSystemErrorCode(error) || undefined,
      },
      links: [],
      failed: error !== undefined,
    })
  }
  return { begin, statement }
}
export type Tracer = ReturnType<typeof createTracer>
