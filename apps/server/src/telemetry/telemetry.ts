import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Telemetry } from './export.ts'

/** Undefined without a configured collector; its code is loaded only then. */
export async function openTelemetry(config: Config, log: FastifyBaseLogger): Promise<Telemetry | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  const { startTelemetryExport: startExport } = await import('./export.ts')
  return startExport(config, endpoint, log)
}
