import { whiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { addPicture, showPicture } from './pictures.ts'
import { previewInvoice, previewMail } from './previews.ts'
import { getWhiteLabel, updateWhiteLabel } from './white-label.ts'

export function whiteLabelRoutes(app: FastifyInstance) {
  route(app, whiteLabel.get, ({ params }, { db }) => getWhiteLabel(db, params.companyId))

  route(app, whiteLabel.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after, company, named } = await updateWhiteLabel(db, actor, params.companyId, body)
    note({ companyId: company.id, target: company.name, detail: { before, after: named } })
    return after
  })

  route(app, whiteLabel.addPicture, async ({ params, query, upload }, { db, files, actor, note }) => {
    const picture = await addPicture(db, files, actor, { ...params, ...query }, upload)
    const { src, mediaType, size } = picture
    note({ companyId: params.companyId, target: src, detail: { after: { kind: query.kind, mediaType, size } } })
    return picture
  })
  route(app, whiteLabel.picture, ({ params }, { db, files }) => showPicture(db, files, params))

  route(app, whiteLabel.previewInvoice, ({ params, body }, ctx) =>
    previewInvoice(ctx, ctx.actor, params.companyId, body),
  )
  route(app, whiteLabel.previewMail, ({ params, body }, ctx) => previewMail(ctx, ctx.actor, params.companyId, body))
}
