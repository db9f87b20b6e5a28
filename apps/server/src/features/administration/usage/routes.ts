import { usage } from '@voisol/contract/usage'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { readUsage, usageFile } from './usage.ts'

export function usageRoutes(app: FastifyInstance) {
  route(app, usage.get, (_, { db, actor }) => readUsage(db, actor))
  route(app, usage.file, (_, { db, actor }) => usageFile(db, actor))
}
