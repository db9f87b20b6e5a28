import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Limits after which a silent or very slow connection is closed. */
export const CONNECTION_TIMEOUTS = {
  /** For all headers. */
  headersTimeout: 15_000,
  /** For the largest file. */
  requestTimeout: 900_000,
  /** For silence; longer than any call may take. */
  connectionTimeout: 150_000,
  /** Longer than the keep-alive of load balancers. */
  keepAliveTimeout: 72_000,
  /** How often these limits are checked. */
  connectionsCheckingInterval: 5000,
}
export type BodySpeedLimit = { everyMs: number; leastBytes: number }
const DEFAULT_BODY_SPEED_LIMIT: BodySpeedLimit = { everyMs: 10_000, leastBytes: 10_000 }
const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A slow body occupies a connection and a slot for nothing: it must arrive at one kilobyte a second at least. */
export function enforceBodySpeed({ raw }: FastifyRequest, { everyMs, leastBytes }: BodySpeedLimit): void {
  const { socket } = raw
  let seen = socket?.bytesRead
  if (seen === undefined || raw.complete) return
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    const now = socket.bytesRead
    if (now - (seen ?? 0) < leastBytes) {
      clearInterval(timer)
      socket.end(TIMEOUT_RESPONSE, () => socket.destroy())
    }
    seen = now
  }, everyMs)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

export function registerBodySpeedLimit(app: FastifyInstance, patience = DEFAULT_BODY_SPEED_LIMIT) {
  app.addHook('preParsing', async (request, _reply, payload) => {
    enforceBodySpeed(request, patience)
    return payload
  })
}
