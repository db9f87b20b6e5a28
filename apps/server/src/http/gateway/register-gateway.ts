import type { Endpoint } from '@voisol/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import { type CallMeter, createCallMeter, writeCallBatch } from './call-meter.ts'
import { type CallQuotas, createCallQuotas, type RateLimitStatus } from './call-quotas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    gateway: Gateway
  }
  interface FastifyRequest {
    /** Why the call was refused, from the code of its answer. */
    refusal: string
    /** Bytes that its connection had sent before it. */
    sentBefore: number
  }
}
type Gateway = {
  meter: CallMeter
  budgets: CallQuotas
  /** False disables counting, to measure its cost. */
  counting: boolean
  flush(): Promise<void>
}

const FLUSH_INTERVAL_MS = 3000
/** Refusals of these kinds come from the gateway: other errors are those of the call. */
const GATEWAY_REFUSALS = new Set([
  'forbidden',
  'key-revoked',
  'key-expired',
  'key-address',
  'key-rate',
  'key-quota',
  'company-rate',
  'company-quota',
])

const getBytesWritten = (request: FastifyRequest) => request.raw.socket?.bytesWritten ?? 0

function getResponseSize(request: FastifyRequest, reply: FastifyReply): number {
  const said = reply.getHeader('content-length')
  return said === undefined ? Math.max(0, getBytesWritten(request) - request.sentBefore) : Number(said)
}

function countCall({ gateway }: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const { caller } = request
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint } // set by route()
  if (!(caller && endpoint)) return
  gateway.meter.add({
    ...caller,
    route: `${endpoint.method} ${endpoint.path}`,
    reason: GATEWAY_REFUSALS.has(request.refusal) ? request.refusal : '',
    status: reply.statusCode,
    micros: Math.round(reply.elapsedTime * 1000),
    bytesIn: Number(request.headers['content-length'] ?? 0),
    bytesOut: getResponseSize(request, reply),
    at: Date.now(),
    ip: request.ip,
    requestId: request.id,
  })
}

/** RateLimit header fields for HTTP: the policies of a call, and what is left of each. */
function setRateLimitHeaders(reply: FastifyReply, told: RateLimitStatus[]) {
  if (told.length === 0) return
  reply.header('ratelimit-policy', told.map(({ name, limit, window }) => `"${name}";q=${limit};w=${window}`).join(', '))
  reply.header('ratelimit', told.map(({ name, left, resets }) => `"${name}";r=${left};t=${resets}`).join(', '))
}

/** Calls of keys are limited by their key and company; calls of persons are not. */
export async function consumeCallQuota({ gateway }: FastifyInstance, actor: Actor | undefined, reply: FastifyReply) {
  if (!actor?.limits) return
  const { told, refused } = await gateway.budgets.spend(actor)
  setRateLimitHeaders(reply, told)
  if (refused) throw refused
}

/** Counts every call of a key or a person in memory, and writes the sums every few seconds and at shutdown. */
export function registerGateway(app: FastifyInstance) {
  const { aside, log } = app.deps
  const meter = createCallMeter()
  let writing = Promise.resolve()
  const write = async () => {
    const left = await writeCallBatch(aside, meter.take())
    for (const { batch } of left) meter.giveBack(batch)
    if (left[0]) log.warn({ err: left[0].error }, 'gateway')
  }
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  const budgets = createCallQuotas(aside)
  app.decorate('gateway', { meter, budgets, counting: true, flush })
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', '')
  app.decorateRequest('sentBefore', 0)
  app.addHook('onRequest', async (request) => {
    request.sentBefore = getBytesWritten(request)
  })
  app.addHook('onResponse', async (request, reply) => {
    if (app.gateway.counting) countCall(app, request, reply)
  })
  const timer = setInterval(() => void flush().then(() => budgets.tidy().catch(() => {})), FLUSH_INTERVAL_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await flush()
    await budgets.tidy(0).catch(() => {})
  })
}
