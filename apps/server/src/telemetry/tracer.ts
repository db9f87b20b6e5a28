import { randomBytes } from 'node:crypto'
import { getSystemErrorCode } from '../db/database-errors.ts'
import type { Purpose } from './purpose.ts'
import { maskStatement } from './slow-log.ts'
import type { ActiveSpan, SpanKind, TraceContext, TraceSpan } from './span.ts'
import type { ExecutedStatement } from './statements.ts'

/** A job may run tens of thousands of statements: the first are traced, the rest counted. */
const MAX_TRACED_STATEMENTS = 500

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

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex')

/** Every process with the same share samples the same traces. */
const isSampled = (traceId: string, share: number) => Number.parseInt(traceId.slice(-8), 16) / 0x1_0000_0000 < share

function createTraceContext(parent: TraceContext | undefined, share: number): TraceContext {
  const traceId = parent?.traceId ?? randomHex(16)
  return { traceId, spanId: randomHex(8), sampled: parent?.sampled ?? isSampled(traceId, share) }
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Parses the header of W3C Trace Context; undefined if invalid. */
export function parseTraceParent(text: unknown): TraceContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(String(text)) ?? []
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const formatTraceParent = ({ traceId, spanId, sampled }: TraceContext) =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`
