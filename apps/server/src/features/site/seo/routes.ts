import { SitePath, seo } from '@voisol/contract/seo'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { registerSiteFiles } from './files.ts'
import { generate } from './generate.ts'
import { listRecords } from './list.ts'
import { allRecords, plainPath, readServed, resetRecord, saveRecord } from './records.ts'
import { addRedirect, listRedirects, removeRedirect } from './redirects.ts'

/** A path, or the whole address of a page; what is neither is no page. */
function pathOf(given: string): string {
  const path = URL.canParse(given) ? new URL(given).pathname : given
  return SitePath.safeParse(plainPath(path)).data ?? ''
}

export function seoRoutes(app: FastifyInstance) {
  registerSiteFiles(app)

  route(app, seo.content, ({ query }, { db }) => readServed(db, app.web, pathOf(query.path ?? query.url ?? '/')))

  route(app, seo.list, ({ query }, { db }) => listRecords(db, app.web, query))

  route(app, seo.save, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveRecord(db, actor.email, body)
    note({ target: after.path, detail: { before, after } })
    const record = (await allRecords(db, app.web)).find(({ path }) => path === after.path)
    if (!record) throw new AppError('not-found')
    return record
  })

  route(app, seo.reset, async ({ query }, { db, note }) => {
    const path = plainPath(query.path)
    const before = await resetRecord(db, path)
    note({ target: path, detail: { before: before ?? null } })
    return { success: true as const }
  })

  route(app, seo.generate, async ({ body }, { db, note }) => {
    const path = plainPath(body.path)
    note({ target: path })
    return generate(app, db, path)
  })

  route(app, seo.redirects, ({ query }, { db }) => listRedirects(db, query))

  route(app, seo.addRedirect, async ({ body }, { db, note }) => {
    const redirect = await addRedirect(app, db, body)
    note({ target: redirect.from, detail: { after: redirect } })
    return redirect
  })

  route(app, seo.removeRedirect, async ({ params }, { db, note }) => {
    const before = await removeRedirect(db, params.id)
    note({ target: before.from, detail: { before } })
    return { success: true as const }
  })
}
