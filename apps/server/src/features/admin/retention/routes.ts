import { retention } from '@voisol/contract/retention'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { confirmRetentionPreview, createRetentionPreview, loadRetention, saveRetentionDurations } from './retention.ts'
import { makeConsentPackPdf, makeRegisterPdf } from './retention-documents.ts'

export function retentionRoutes(app: FastifyInstance) {
  addRoute(app, retention.get, (_, { db, actor }) => loadRetention(db, actor.companyId))
  addRoute(app, retention.update, async ({ body }, { db, actor, note }) => {
    const changes = await saveRetentionDurations(db, actor, body)
    note({ target: 'Durées de conservation', detail: { changes, reason: body.reason } })
    return loadRetention(db, actor.companyId)
  })
  addRoute(app, retention.preview, async (_, { db, actor, note }) => {
    note({ target: 'Ce qui serait supprimé', detail: await createRetentionPreview(db, actor.companyId) })
    return loadRetention(db, actor.companyId)
  })
  addRoute(app, retention.confirm, async ({ body }, { db, actor, note }) => {
    await confirmRetentionPreview(db, actor, body)
    note({ target: 'Suppressions de chaque nuit' })
    return loadRetention(db, actor.companyId)
  })
  addRoute(app, retention.register, async (_, { db, actor }) => ({
    name: 'registre-des-traitements.pdf',
    content: await makeRegisterPdf(db, actor.companyId),
  }))
  addRoute(app, retention.consentPack, async (_, { db, actor }) => ({
    name: 'dossier-des-accords.pdf',
    content: await makeConsentPackPdf(db, actor.companyId),
  }))
}
