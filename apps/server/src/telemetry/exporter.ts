import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/** A collector with the headers of each request. */
type Collector = { endpoint: string; headers: Record<string, string> }

const BATCH_SIZE = 512
/** The limit of waiting items: beyond it new ones are dropped and counted. */
const MAX_WAITING = 8192
const SEND_INTERVAL_MS = 5000
const SEND_TIMEOUT_MS = 10_000
const WARNING_INTERVAL_MS = 60_000
const CLOSE_TIMEOUT_MS = 2000

type ExporterOptions = { log: FastifyBaseLogger; post?: typeof fetch }

/** Sends items in batches; adding one never waits and never fails. */
export function createExporter<T>(
  collector: Collector,
  path: string,
  encode: (batch: T[]) => object,
  options: ExporterOptions,
) {
  const { log, post = fetch } = options
  const url = `${collector.endpoint.replace(/\/+$/, '')}${path}`
  const waiting: T[] = []
  let lost = 0
  let complained = -Infinity
  let sending: Promise<void> | undefined

  function complain(reason: string) {
    if (performance.now() - complained < WARNING_INTERVAL_MS) return
    complained = performance.now()
    log.warn({ collector: collector.endpoint, reason, waiting: waiting.length, lost }, 'telemetry: not delivered')
  }

  /** False if worth a retry: unavailable or busy. A permanent refusal is not retried. */
  async function deliver(batch: T[]): Promise<boolean> {
    try {
      const response = await post(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...collector.headers },
        body: JSON.stringify(encode(batch)),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      await response.arrayBuffer()
      if (!response.ok) complain(`status ${response.status}`)
      return response.ok || ![429, 502, 503, 504].includes(response.status)
    } catch (error) {
      complain(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  async function sendAll() {
    while (waiting.length) {
      const batch = waiting.slice(0, BATCH_SIZE)
      if (!(await deliver(batch))) return
      // Others may have been added meanwhile.
      waiting.splice(0, batch.length)
    }
  }
  const flush = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }
  const timer = setInterval(flush, SEND_INTERVAL_MS).unref()

  return {
    add(one: T) {
      if (waiting.length >= MAX_WAITING) lost++
      else waiting.push(one)
      if (waiting.length === BATCH_SIZE) void flush()
    },
    flush,
    /** Sends the rest if that is quick: the shutdown is not delayed. */
    async close() {
      clearInterval(timer)
      const last = Promise.resolve(sending).then(flush)
      await Promise.race([last, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}
