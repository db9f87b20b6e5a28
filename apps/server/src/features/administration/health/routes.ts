import { health } from '@voisol/contract/health'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { readHealth, readHistory } from './health.ts'
import { watchLatency } from './latency.ts'
import { metricOf } from './metrics.ts'

export function healthRoutes(app: FastifyInstance) {
  const latency = watchLatency(app)
  route(app, health.get, async (_, { db }) => ({ ...(await readHealth(db, app.deps)), routes: latency() }))
  route(app, health.history, ({ query }, { db }) => {
    const metric = metricOf(query.metric)
    if (!metric) throw new AppError('not-found')
    return readHistory(db, query.metric, metric.falling === true)
  })
}
