import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { sha256 } from '../secrets.ts'
import { COMMIT_ID, VERSION } from '../version.ts'
import { AppError } from './errors.ts'
import { loadQueueDepths } from './health.ts'
import { getRoutePattern } from './logging.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
/** A local proxy also has a loopback address, but calls on behalf of others. */
const isLocal = ({ ip, headers }: FastifyRequest) =>
  LOOPBACK.test(ip) && !headers['x-forwarded-for'] && !headers.forwarded && !headers['x-real-ip']

/** A token set by the operator is required from everywhere, since other programs run on this machine too. */
function requireMetricsAccess(request: FastifyRequest, token: string | undefined) {
  if (!token) {
    if (isLocal(request)) return
    throw new AppError('not-found')
  }
  const given = request.headers.authorization ?? ''
  if (!timingSafeEqual(sha256(given), sha256(`Bearer ${token}`))) throw new AppError('unauthenticated')
}

export function registerMetrics(app: FastifyInstance) {
  const { db, config, telemetry } = app.deps
  const register = new Registry()
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Durée des requêtes HTTP',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  const depth = new Gauge({
    name: 'voisol_queue_jobs',
    help: 'Tâches par file et par état',
    labelNames: ['queue', 'state'],
    registers: [register],
    async collect() {
      this.reset()
      // Without a database the queue depths are unknown; the other metrics matter all the more.
      for (const { name, waiting, active, failed } of await loadQueueDepths(db).catch(() => []))
        for (const [state, n] of Object.entries({ waiting, active, failed })) depth.set({ queue: name, state }, n)
    },
  })
  new Gauge({
    name: 'voisol_unnamed_proxy',
    help: 'Un relais transmet des visiteurs sans être nommé dans TRUST_PROXY',
    registers: [register],
    collect() {
      this.set(app.proxy.unnamed ? 1 : 0)
    },
  })
  new Gauge({
    name: 'voisol_build_info',
    help: 'Version et commit du programme qui répond\u00a0; vaut toujours 1',
    labelNames: ['version', 'commit', 'node'],
    registers: [register],
  }).set({ version: VERSION, commit: COMMIT_ID ?? '', node: process.version }, 1)
  telemetry?.measures(register)
  app.addHook('onResponse', async (request, reply) => {
    requests.observe(
      { method: request.method, route: getRoutePattern(request), status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  app.get('/metrics', async (request, reply) => {
    requireMetricsAccess(request, config.METRICS_TOKEN)
    return reply
      .type(register.contentType)
      .header('cache-control', 'no-store')
      .send(await register.metrics())
  })
}
