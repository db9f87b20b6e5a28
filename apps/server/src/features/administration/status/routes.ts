import { status } from '@voisol/contract/status'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { createStatus } from './status.ts'

export function statusRoutes(app: FastifyInstance) {
  const current = createStatus(app.deps)
  route(app, status.get, () => current())
}
