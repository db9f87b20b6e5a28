import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { createExporter } from './exporter.ts'
import { encodeMetrics, encodeSpans } from './otlp.ts'
import { readMetrics } from './otlp-metrics.ts'
import type { TraceSpan } from './span.ts'
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
