import { health } from '@voisol/contract/health'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { getRoutePattern } from '../../../http/logging.ts'
import { addRoute } from '../../../http/route.ts'
import { loadHealth, loadMetricHistory } from './health.ts'
import { findMetric } from './health-metrics.ts'

export function healthRoutes(app: FastifyInstance) {
  const latency = trackLatency(app)
  addRoute(app, health.get, async (_, { db }) => ({ ...(await loadHealth(db, app.deps)), routes: latency() }))
  addRoute(app, health.history, ({ query }, { db }) => {
    const metric = findMetric(query.metric)
    if (!metric) throw new AppError('not-found')
    return loadMetricHistory(db, query.metric, metric.falling === true)
  })
}

const MAX_TIMES_PER_ROUTE = 200
const MAX_LISTED_ROUTES = 15
type Times = { calls: number; last: number[] }

/** Records the duration of recent calls per route, in this process. */
function trackLatency(app: FastifyInstance) {
  const routes = new Map<string, Times>()
  app.addHook('onResponse', async (request, reply) => {
    const route = `${request.method} ${getRoutePattern(request)}`
    const times = routes.get(route) ?? { calls: 0, last: [] }
    times.last[times.calls++ % MAX_TIMES_PER_ROUTE] = reply.elapsedTime
    routes.set(route, times)
  })
  const computeP95 = (last: number[]) => last.toSorted((a, b) => a - b)[Math.ceil(last.length * 0.95) - 1] ?? 0
  return () =>
    [...routes]
      .filter(([route]) => route.includes(' /api/'))
      .map(([route, { calls, last }]) => ({ route, calls, p95: Math.round(computeP95(last)) }))
      .sort((a, b) => b.p95 - a.p95)
      .slice(0, MAX_LISTED_ROUTES)
}
