import { DEFAULT_WHITE_LABEL, whiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { companyOfHost } from '../../../core/brand-hosts.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { domainOf, proveHost } from './hosts.ts'
import { registerManifest } from './manifest.ts'
import { addPicture, showPicture } from './pictures.ts'
import { previewInvoice, previewMail } from './previews.ts'
import { getWhiteLabel, updateWhiteLabel } from './white-label.ts'

/** More than a proxy asks for when many names are called at once; what is asked beyond is somebody trying names. */
const ASKS_A_MINUTE = 300

export function whiteLabelRoutes(app: FastifyInstance) {
  route(app, whiteLabel.get, ({ params }, { db }) => getWhiteLabel(db, params.companyId))

  route(app, whiteLabel.update, async ({ params, body }, { db, config, actor, note }) => {
    const { before, after, company, named } = await updateWhiteLabel(db, config, actor, params.companyId, body)
    note({ companyId: company.id, target: company.name, detail: { before, after: named } })
    return after
  })

  // Under the name that the visitor called: the page there is drawn before anybody signs in.
  route(app, whiteLabel.here, async (_, { db, request }) => {
    const companyId = await companyOfHost(db, request.hostname)
    return companyId ? getWhiteLabel(db, companyId) : { ...DEFAULT_WHITE_LABEL, version: 0 }
  })
  route(app, whiteLabel.ask, async ({ query }, { db, request }) => {
    await throttle(db, `domain ask ${networkOf(request.ip)}`, ASKS_A_MINUTE, 60)
    if (!(await companyOfHost(db, query.domain))) throw new AppError('not-found')
    return { success: true as const }
  })

  registerManifest(app)

  route(app, whiteLabel.domain, ({ params }, { db, config, actor }) => domainOf(db, config, actor, params.companyId))
  route(app, whiteLabel.proveDomain, async ({ params }, { db, actor, note, ...deps }) => {
    const domain = await proveHost(db, { ...deps, db: app.deps.db }, actor, params.companyId)
    note({ companyId: params.companyId, target: domain.host })
    return domain
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
