import { audit } from '@voisol/contract/audit'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { listAudit } from './audit.ts'

export function auditRoutes(app: FastifyInstance) {
  route(app, audit.list, ({ query }, { db, actor }) => listAudit(db, actor, query))
}
