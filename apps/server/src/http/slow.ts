import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A connection that says nothing more, or next to nothing, is given up. */
export const CONNECTION_TIMEOUTS = {
  /** All of the head. */
  headersTimeout: 15_000,
  /** All of the largest file. */
  requestTimeout: 900_000,
  /** Silence, longer than any call may take to be answered. */
  connectionTimeout: 150_000,
  /** Longer than balancers keep theirs. */
  keepAliveTimeout: 72_000,
  /** How often the above are looked at. */
  connectionsCheckingInterval: 5000,
}
export type BodySpeedLimit = { everyMs: number; leastBytes: number }
const DEFAULT_BODY_SPEED_LIMIT: BodySpeedLimit = { everyMs: 10_000, leastBytes: 10_000 }
const TIMEOUT_RESPONSE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** A body that trickles in keeps a connection, and a place in line, for nothing: it has to come at a kilobyte a second. */
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
