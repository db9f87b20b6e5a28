import { status } from '@voisol/contract/status'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { createStatusLoader } from './status.ts'

export function statusRoutes(app: FastifyInstance) {
  const current = createStatusLoader(app.deps)
  addRoute(app, status.get, () => current())
}
