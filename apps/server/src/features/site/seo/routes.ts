import { SitePath, seo } from '@voisol/contract/seo'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { addRedirect, listRedirects, removeRedirect } from './redirects.ts'
import { generateProposals } from './seo-proposals.ts'
import {
  listAllSeoRecords,
  listSeoRecords,
  loadSeoContent,
  normalizePath,
  resetSeoRecord,
  saveSeoRecord,
} from './seo-records.ts'
import { registerSiteFiles } from './sitemap.ts'

/** A path, or the whole address of a page; what is neither is no page. */
function parseSitePath(given: string): string {
  const path = URL.canParse(given) ? new URL(given).pathname : given
  return SitePath.safeParse(normalizePath(path)).data ?? ''
}

export function seoRoutes(app: FastifyInstance) {
  registerSiteFiles(app)

  addRoute(app, seo.content, ({ query }, { db }) =>
    loadSeoContent(db, app.web, parseSitePath(query.path ?? query.url ?? '/')),
  )

  addRoute(app, seo.list, ({ query }, { db }) => listSeoRecords(db, app.web, query))

  addRoute(app, seo.save, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveSeoRecord(db, actor.email, body)
    note({ target: after.path, detail: { before, after } })
    const record = (await listAllSeoRecords(db, app.web)).find(({ path }) => path === after.path)
    if (!record) throw new AppError('not-found')
    return record
  })

  addRoute(app, seo.reset, async ({ query }, { db, note }) => {
    const path = normalizePath(query.path)
    const before = await resetSeoRecord(db, path)
    note({ target: path, detail: { before: before ?? null } })
    return { success: true as const }
  })

  addRoute(app, seo.generate, async ({ body }, { db, note }) => {
    const path = normalizePath(body.path)
    note({ target: path })
    return generateProposals(app, db, path)
  })

  addRoute(app, seo.redirects, ({ query }, { db }) => listRedirects(db, query))

  addRoute(app, seo.addRedirect, async ({ body }, { db, note }) => {
    const redirect = await addRedirect(app, db, body)
    note({ target: redirect.from, detail: { after: redirect } })
    return redirect
  })

  addRoute(app, seo.removeRedirect, async ({ params }, { db, note }) => {
    const before = await removeRedirect(db, params.id)
    note({ target: before.from, detail: { before } })
    return { success: true as const }
  })
}
