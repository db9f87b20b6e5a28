import { health } from '@voisol/contract/health'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { loadHealth, loadMetricHistory } from './health.ts'
import { trackLatency } from './latency.ts'
import { findMetric } from './metrics.ts'

export function healthRoutes(app: FastifyInstance) {
  const latency = trackLatency(app)
  addRoute(app, health.get, async (_, { db }) => ({ ...(await loadHealth(db, app.deps)), routes: latency() }))
  addRoute(app, health.history, ({ query }, { db }) => {
    const metric = findMetric(query.metric)
    if (!metric) throw new AppError('not-found')
    return loadMetricHistory(db, query.metric, metric.falling === true)
  })
}
