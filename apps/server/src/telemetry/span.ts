import { randomBytes } from 'node:crypto'

/** The position of a span: its trace and its id. */
export type TraceContext = { traceId: string; spanId: string; sampled: boolean }
export type SpanKind = 'server' | 'client' | 'consumer'
export type SpanAttributes = Record<string, string | number | boolean | undefined>

/** A finished span; times are milliseconds since 1970, with fractions. */
export type TraceSpan = {
  place: TraceContext
  parentId?: string | undefined
  name: string
  kind: SpanKind
  from: number
  to: number
  attributes: SpanAttributes
  links: TraceContext[]
  failed: boolean
}

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex')

/** Every process with the same share samples the same traces. */
const isSampled = (traceId: string, share: number) => Number.parseInt(traceId.slice(-8), 16) / 0x1_0000_0000 < share

export function createTraceContext(parent: TraceContext | undefined, share: number): TraceContext {
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
