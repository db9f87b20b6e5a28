import { audit } from '@voisol/contract/audit'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { getEntry, listAudit } from './audit.ts'
import { askCheck, readCheck } from './check.ts'
import { exportAudit } from './export.ts'

export function auditRoutes(app: FastifyInstance) {
  route(app, audit.list, ({ query }, { db, actor }) => listAudit(db, actor, query))
  route(app, audit.get, ({ params }, { db, actor }) => getEntry(db, actor, params.id))
  // The file is read while it is sent, after the call itself is over: it asks the pool, not the call's connection.
  route(app, audit.export, async ({ query }, { actor }) => exportAudit(app.deps.db, actor, query))
  route(app, audit.verification, (_, { db, actor }) => readCheck(db, actor.companyId))
  route(app, audit.verify, async (_, { db, actor }) => {
    await askCheck(db, actor.companyId)
    return { success: true as const }
  })
}
