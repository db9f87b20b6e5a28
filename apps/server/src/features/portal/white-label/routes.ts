import { DEFAULT_WHITE_LABEL, whiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { findCompanyIdOfHost } from '../../../core/mail-brand.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { loadBrandDomain, proveBrandHost } from './brand-hosts.ts'
import { loadBrandPicture, uploadBrandPicture } from './brand-images.ts'
import { registerManifestRoute } from './manifest.ts'
import { previewInvoice, previewMail } from './previews.ts'
import { loadWhiteLabel, updateWhiteLabel } from './white-label.ts'

/** More than a proxy asks for when many names are called at once; what is asked beyond is somebody trying names. */
const MAX_DOMAIN_CHECKS_PER_MINUTE = 300

export function whiteLabelRoutes(app: FastifyInstance) {
  addRoute(app, whiteLabel.get, ({ params }, { db }) => loadWhiteLabel(db, params.companyId))

  addRoute(app, whiteLabel.update, async ({ params, body }, { db, config, actor, note }) => {
    const { before, after, company, named } = await updateWhiteLabel(db, config, actor, params.companyId, body)
    note({ companyId: company.id, target: company.name, detail: { before, after: named } })
    return after
  })

  // Under the name that the visitor called: the page there is drawn before anybody signs in.
  addRoute(app, whiteLabel.here, async (_, { db, request }) => {
    const companyId = await findCompanyIdOfHost(db, request.hostname)
    return companyId ? loadWhiteLabel(db, companyId) : { ...DEFAULT_WHITE_LABEL, version: 0 }
  })
  addRoute(app, whiteLabel.ask, async ({ query }, { db, request }) => {
    await throttle(db, `domain ask ${getClientNetwork(request.ip)}`, MAX_DOMAIN_CHECKS_PER_MINUTE, 60)
    if (!(await findCompanyIdOfHost(db, query.domain))) throw new AppError('not-found')
    return { success: true as const }
  })

  registerManifestRoute(app)

  addRoute(app, whiteLabel.domain, ({ params }, { db, config, actor }) =>
    loadBrandDomain(db, config, actor, params.companyId),
  )
  addRoute(app, whiteLabel.proveDomain, async ({ params }, { db, actor, note, ...deps }) => {
    const domain = await proveBrandHost(db, { ...deps, db: app.deps.db }, actor, params.companyId)
    note({ companyId: params.companyId, target: domain.host })
    return domain
  })

  addRoute(app, whiteLabel.addPicture, async ({ params, query, upload }, { db, files, actor, note }) => {
    const picture = await uploadBrandPicture(db, files, actor, { ...params, ...query }, upload)
    const { src, mediaType, size } = picture
    note({ companyId: params.companyId, target: src, detail: { after: { kind: query.kind, mediaType, size } } })
    return picture
  })
  addRoute(app, whiteLabel.picture, ({ params }, { db, files }) => loadBrandPicture(db, files, params))

  addRoute(app, whiteLabel.previewInvoice, ({ params, body }, ctx) =>
    previewInvoice(ctx, ctx.actor, params.companyId, body),
  )
  addRoute(app, whiteLabel.previewMail, ({ params, body }, ctx) => previewMail(ctx, ctx.actor, params.companyId, body))
}
