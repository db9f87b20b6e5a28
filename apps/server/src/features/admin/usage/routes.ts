import { usage } from '@voisol/contract/usage'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { buildUsageFile, loadUsage } from './usage.ts'

export function usageRoutes(app: FastifyInstance) {
  addRoute(app, usage.get, (_, { db, actor }) => loadUsage(db, actor))
  addRoute(app, usage.file, (_, { db, actor }) => buildUsageFile(db, actor))
}
