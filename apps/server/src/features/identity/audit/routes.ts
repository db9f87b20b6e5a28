import { audit } from '@voisol/contract/audit'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { listAuditEntries, loadAuditEntry } from './audit.ts'
import { loadAuditCheck, requestAuditCheck } from './check-audit.ts'
import { exportAudit } from './export-audit.ts'

export function auditRoutes(app: FastifyInstance) {
  addRoute(app, audit.list, ({ query }, { db, actor }) => listAuditEntries(db, actor, query))
  addRoute(app, audit.get, ({ params }, { db, actor }) => loadAuditEntry(db, actor, params.id))
  // The file is streamed after the call has returned its own connection, so that it must use the pool.
  addRoute(app, audit.export, async ({ query }, { actor }) => exportAudit(app.deps.db, actor, query))
  addRoute(app, audit.verification, (_, { db, actor }) => loadAuditCheck(db, actor.companyId))
  addRoute(app, audit.verify, async (_, { db, actor }) => {
    await requestAuditCheck(db, actor.companyId)
    return { success: true as const }
  })
}
