/** An active span. Its children use its clock, so that they stay within it when the machine's clock is set. */
export type ActiveSpan = {
  place: TraceContext
  statements: number
  at(perf: number): number
  end(attributes: SpanAttributes, failed: boolean): void
}

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
