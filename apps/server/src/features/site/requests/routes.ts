import { requests, type SiteRequest } from '@voisol/contract/requests'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { contact } from './contact.ts'
import { replyTo, updateRequest } from './desk.ts'
import { requestsFile } from './export.ts'
import { decide, newsletter } from './newsletter.ts'
import { allRequests, listRequests } from './view.ts'
import { register } from './webinar.ts'
import { paperFile, requestPaper } from './white-paper.ts'

function changed({ note }: Context, { before, after }: { before: SiteRequest; after: SiteRequest }): SiteRequest {
  note({ target: after.id, detail: { kind: after.kind, before: before.status, after: after.status } })
  return after
}

export function requestRoutes(app: FastifyInstance) {
  route(app, requests.contact, ({ body }, ctx) => contact(ctx, body))
  route(app, requests.newsletter, ({ body }, ctx) => newsletter(ctx, body))
  route(app, requests.subscription, ({ body }, ctx) => decide(ctx, body))
  route(app, requests.whitePaper, ({ params, body }, ctx) => requestPaper(ctx, params.slug, body))
  route(app, requests.whitePaperFile, ({ params, query }, ctx) => paperFile(ctx, params.slug, query.key))
  route(app, requests.webinar, ({ params, body }, ctx) => register(ctx, params.slug, body))

  route(app, requests.list, ({ query }, { db, actor }) => listRequests(db, actor, query))
  route(app, requests.export, async ({ query }, { db, actor }) =>
    requestsFile(await allRequests(db, actor, query), query.format),
  )
  route(app, requests.update, async ({ params, body }, ctx) =>
    changed(ctx, await updateRequest(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, requests.reply, async ({ params, body }, ctx) =>
    changed(ctx, await replyTo(ctx.db, ctx, ctx.actor, params.id, body)),
  )
}
