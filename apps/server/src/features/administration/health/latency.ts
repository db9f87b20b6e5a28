import type { FastifyInstance } from 'fastify'
import { routeOf } from '../../../http/logging.ts'

const KEPT = 200
const SHOWN = 15
type Times = { calls: number; last: number[] }

/** How long the latest calls of each route took, in this process. */
export function watchLatency(app: FastifyInstance) {
  const routes = new Map<string, Times>()
  app.addHook('onResponse', async (request, reply) => {
    const route = `${request.method} ${routeOf(request)}`
    const times = routes.get(route) ?? { calls: 0, last: [] }
    times.last[times.calls++ % KEPT] = reply.elapsedTime
    routes.set(route, times)
  })
  const p95 = (last: number[]) => last.toSorted((a, b) => a - b)[Math.ceil(last.length * 0.95) - 1] ?? 0
  return () =>
    [...routes]
      .filter(([route]) => route.includes(' /api/'))
      .map(([route, { calls, last }]) => ({ route, calls, p95: Math.round(p95(last)) }))
      .sort((a, b) => b.p95 - a.p95)
      .slice(0, SHOWN)
}
