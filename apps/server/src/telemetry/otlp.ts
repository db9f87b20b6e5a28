import type { Attributes, Kind, Span } from './span.ts'

const KINDS: Record<Kind, number> = { server: 2, client: 3, consumer: 5 }
const FAILED = { code: 2 }

/** Nanoseconds as a text: a number in JSON has not enough digits. */
export const nanos = (ms: number) => (BigInt(Math.round(ms * 1000)) * 1000n).toString()

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

export const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: toValue(value) }]))

const encodeSpan = ({ place, parentId, name, kind, from, to, attributes, links, failed }: Span) => ({
  traceId: place.traceId,
  spanId: place.spanId,
  ...(parentId && { parentSpanId: parentId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanos(from),
  endTimeUnixNano: nanos(Math.max(from, to)),
  attributes: attributesOf(attributes),
  links: links.map(({ traceId, spanId }) => ({ traceId, spanId })),
  ...(failed && { status: FAILED }),
})

const SCOPE = { name: 'voisol' }

/** As OTLP writes it in JSON (opentelemetry-proto 1.x, stable). */
export const encodeSpans = (resource: Attributes, spans: Span[]) => ({
  resourceSpans: [
    { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope: SCOPE, spans: spans.map(encodeSpan) }] },
  ],
})

export const encodeMetrics = (resource: Attributes, metrics: object[]) => ({
  resourceMetrics: [{ resource: { attributes: attributesOf(resource) }, scopeMetrics: [{ scope: SCOPE, metrics }] }],
})
