import type { SpanAttributes, SpanKind, TraceSpan } from './span.ts'

const SPAN_KIND_CODES: Record<SpanKind, number> = { server: 2, client: 3, consumer: 5 }
const FAILED_STATUS = { code: 2 }

/** Nanoseconds as a string: a JSON number is not precise enough. */
export const toNanoseconds = (ms: number) => (BigInt(Math.round(ms * 1000)) * 1000n).toString()

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

export const toOtlpAttributes = (attributes: SpanAttributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }]))

const encodeSpan = ({ place, parentId, name, kind, from, to, attributes, links, failed }: TraceSpan) => ({
  traceId: place.traceId,
  spanId: place.spanId,
  ...(parentId && { parentSpanId: parentId }),
  name,
  kind: SPAN_KIND_CODES[kind],
  startTimeUnixNano: toNanoseconds(from),
  endTimeUnixNano: toNanoseconds(Math.max(from, to)),
  attributes: toOtlpAttributes(attributes),
  links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  ...(failed && { status: FAILED_STATUS }),
})

const SCOPE = { name: 'voisol' }

/** The JSON encoding of OTLP (opentelemetry-proto 1.x, stable). */
export const encodeSpans = (resource: SpanAttributes, spans: TraceSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: toOtlpAttributes(resource) },
      scopeSpans: [{ scope: SCOPE, spans: spans.map(encodeSpan) }],
    },
  ],
})

export const encodeMetrics = (resource: SpanAttributes, metrics: object[]) => ({
  resourceMetrics: [
    { resource: { attributes: toOtlpAttributes(resource) }, scopeMetrics: [{ scope: SCOPE, metrics }] },
  ],
})
