import { legal } from '@voisol/contract/legal'
import type { FastifyInstance } from 'fastify'
import { siteCompany } from '../../../core/site-company.ts'
import { route } from '../../../http/route.ts'
import { publicUrl } from '../../people/mail/mail.ts'
import { getNotice, readNotice, saveNotice } from './legal.ts'
import { PAPERS } from './papers.ts'

export function legalRoutes(app: FastifyInstance) {
  route(app, legal.read, (_, ctx) => readNotice(ctx))

  route(app, legal.paper, async ({ params }, { db, config, compute, signal }) => {
    const { notice } = await getNotice(db)
    const home = publicUrl(config, '/').replace(/\/$/, '')
    const paper = { ...PAPERS[params.name](notice, config), at: new Date(), home }
    const content = await compute('legal.paper', paper, { companyId: await siteCompany(db), signal })
    return { name: `${params.name}.pdf`, content: Buffer.from(content) }
  })

  route(app, legal.get, (_, { db }) => getNotice(db))

  route(app, legal.save, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveNotice(db, actor.email, body)
    note({ target: 'Mentions légales', detail: { before, after: after.notice } })
    return after
  })
}
