import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { createExporter } from './exporter.ts'
import type { SpanAttributes, SpanKind, TraceSpan } from './span.ts'
import { createTracer } from './tracer.ts'

const METRICS_INTERVAL_MS = 60_000

/** `name=value` separated by commas, URL-encoded. */
const parseHeaders = (text: string) =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...value] = pair.split('=')
      return name.trim() && value.length ? [[name.trim(), decodeURIComponent(value.join('=').trim())]] : []
    }),
  )

/** Sends traces and metrics to a collector in OTLP over HTTP. */
export function startTelemetryExport(config: Config, endpoint: string, log: FastifyBaseLogger) {
  const collector = { endpoint, headers: parseHeaders(config.OTEL_EXPORTER_OTLP_HEADERS) }
  const resource = {
    'service.name': config.OTEL_SERVICE_NAME,
    'service.version': VERSION,
    ...(COMMIT_ID && { 'vcs.ref.head.revision': COMMIT_ID }),
    'service.instance.id': `${hostname()}:${process.pid}`,
    'voisol.role': config.ROLE,
  }
  const spans = createExporter<TraceSpan>(collector, '/v1/traces', (batch) => encodeSpans(resource, batch), { log })
  const sums = createExporter<object>(collector, '/v1/metrics', (batch) => encodeMetrics(resource, batch), { log })
  const registries: Registry[] = []
  const measure = async () => {
    for (const registry of registries) for (const metric of await readMetrics(registry)) sums.add(metric)
  }
  const timer = setInterval(
    () => void measure().catch((err) => log.warn({ err }, 'telemetry')),
    METRICS_INTERVAL_MS,
  ).unref()
  return {
    ...createTracer(config.OTEL_TRACES_SAMPLER_ARG, spans.add),
    /** Metrics of the registry are sent every minute, and once more at the end. */
    measures: (registry: Registry) => void registries.push(registry),
    flush: async () => {
      await measure()
      await Promise.all([spans.flush(), sums.flush()])
    },
    close: async () => {
      clearInterval(timer)
      await measure().catch(() => {})
      await Promise.all([spans.close(), sums.close()])
    },
  }
}
export type Telemetry = ReturnType<typeof startTelemetryExport>

type Metric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>
type Value = Metric['values'][number]
/** Counted since the process started. */
const CUMULATIVE = 2

type Times = { startTimeUnixNano: string; timeUnixNano: string }

const toDataPoint = ({ labels, value }: Value, times: Times) => ({
  attributes: toOtlpAttributes(labels),
  ...times,
  asDouble: value,
})

/** Prometheus buckets are cumulative, those of OTLP are not. */
function toHistogramPoint(values: Value[], times: Times) {
  const bounded = values.filter(({ labels }) => labels.le !== undefined)
  const below = bounded.map(({ value }) => value)
  const part = (name: string) => values.find(({ metricName }) => metricName?.endsWith(name))?.value ?? 0
  const { le: _, ...labels } = bounded[0]?.labels ?? {}
  return {
    attributes: toOtlpAttributes(labels),
    ...times,
    count: String(part('_count')),
    sum: part('_sum'),
    explicitBounds: bounded.map((one) => Number(one.labels.le)).filter(Number.isFinite),
    bucketCounts: below.map((value, n) => String(value - (below[n - 1] ?? 0))),
  }
}

function groupBySeries(values: Value[]): Value[][] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest))
  return [...groups.values()]
}

function encodeMetric({ name, help, type, values }: Metric, times: Times): object[] {
  const [kind, finiteValues] = [String(type), values.filter(({ value }) => Number.isFinite(value))]
  const head = { name, description: help }
  if (finiteValues.length === 0) return []
  if (kind === 'histogram') {
    const dataPoints = groupBySeries(finiteValues).map((one) => toHistogramPoint(one, times))
    return [{ ...head, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }]
  }
  const dataPoints = finiteValues.map((value) => toDataPoint(value, times))
  if (kind === 'counter')
    return [{ ...head, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }]
  return kind === 'gauge' ? [{ ...head, gauge: { dataPoints } }] : []
}

/** The values of /metrics, so that nothing is counted twice. */
async function readMetrics(registry: Registry): Promise<object[]> {
  const times = {
    startTimeUnixNano: toNanoseconds(Date.now() - process.uptime() * 1000),
    timeUnixNano: toNanoseconds(Date.now()),
  }
  const metrics = (await registry.getMetricsAsJSON()) as Metric[] // its type leaves out the names of a histogram's parts
  return metrics.flatMap((metric) => encodeMetric(metric, times))
}

const SPAN_KIND_CODES: Record<SpanKind, number> = { server: 2, client: 3, consumer: 5 }
const FAILED_STATUS = { code: 2 }

/** Nanoseconds as a string: a JSON number is not precise enough. */
const toNanoseconds = (ms: number) => (BigInt(Math.round(ms * 1000)) * 1000n).toString()

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const toOtlpAttributes = (attributes: SpanAttributes) =>
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
const encodeSpans = (resource: SpanAttributes, spans: TraceSpan[]) => ({
  resourceSpans: [
    {
      resource: { attributes: toOtlpAttributes(resource) },
      scopeSpans: [{ scope: SCOPE, spans: spans.map(encodeSpan) }],
    },
  ],
})

const encodeMetrics = (resource: SpanAttributes, metrics: object[]) => ({
  resourceMetrics: [
    { resource: { attributes: toOtlpAttributes(resource) }, scopeMetrics: [{ scope: SCOPE, metrics }] },
  ],
})
