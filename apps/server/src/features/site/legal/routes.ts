import { legal } from '@voisol/contract/legal'
import type { FastifyInstance } from 'fastify'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { addRoute } from '../../../http/route.ts'
import { buildPublicUrl } from '../../identity/mail/index.ts'
import { loadLegalNotice, loadLegalNoticePage, saveLegalNotice } from './legal.ts'
import { LEGAL_DOCUMENTS } from './legal-documents.ts'

export function legalRoutes(app: FastifyInstance) {
  addRoute(app, legal.read, (_, ctx) => loadLegalNoticePage(ctx))

  addRoute(app, legal.paper, async ({ params }, { db, config, compute, signal }) => {
    const { notice } = await loadLegalNotice(db)
    const home = buildPublicUrl(config, '/').replace(/\/$/, '')
    const paper = { ...LEGAL_DOCUMENTS[params.name](notice, config), at: new Date(), home }
    const content = await compute('legal.paper', paper, { companyId: await loadSiteOwnerId(db), signal })
    return { name: `${params.name}.pdf`, content: Buffer.from(content) }
  })

  addRoute(app, legal.get, (_, { db }) => loadLegalNotice(db))

  addRoute(app, legal.save, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveLegalNotice(db, actor.email, body)
    note({ target: 'Mentions légales', detail: { before, after: after.notice } })
    return after
  })
}
