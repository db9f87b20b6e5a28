import { retention } from '@voisol/contract/retention'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { makeConsentPack, makeRegister } from './papers.ts'
import { confirmPreview, makePreview, readRetention, saveDurations } from './retention.ts'

export function retentionRoutes(app: FastifyInstance) {
  route(app, retention.get, (_, { db, actor }) => readRetention(db, actor.companyId))
  route(app, retention.update, async ({ body }, { db, actor, note }) => {
    const changes = await saveDurations(db, actor, body)
    note({ target: 'Durées de conservation', detail: { changes, reason: body.reason } })
    return readRetention(db, actor.companyId)
  })
  route(app, retention.preview, async (_, { db, actor, note }) => {
    note({ target: 'Ce qui serait supprimé', detail: await makePreview(db, actor.companyId) })
    return readRetention(db, actor.companyId)
  })
  route(app, retention.confirm, async ({ body }, { db, actor, note }) => {
    await confirmPreview(db, actor, body)
    note({ target: 'Suppressions de chaque nuit' })
    return readRetention(db, actor.companyId)
  })
  route(app, retention.register, async (_, { db, actor }) => ({
    name: 'registre-des-traitements.pdf',
    content: await makeRegister(db, actor.companyId),
  }))
  route(app, retention.consentPack, async (_, { db, actor }) => ({
    name: 'dossier-des-accords.pdf',
    content: await makeConsentPack(db, actor.companyId),
  }))
}
