import { requests, type SiteRequest } from '@voisol/contract/requests'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { buildRequestsFile } from './export.ts'
import { listAllRequests, listRequests, replyToRequest, updateRequest } from './manage-requests.ts'
import {
  applyNewsletterChoice,
  registerForWebinar,
  renderWhitePaperFile,
  requestWhitePaper,
  submitContactForm,
  submitNewsletterForm,
} from './visitor-forms.ts'

function noteRequestChange(
  { note }: RouteContext,
  { before, after }: { before: SiteRequest; after: SiteRequest },
): SiteRequest {
  note({ target: after.id, detail: { kind: after.kind, before: before.status, after: after.status } })
  return after
}

export function requestRoutes(app: FastifyInstance) {
  addRoute(app, requests.contact, ({ body }, ctx) => submitContactForm(ctx, body))
  addRoute(app, requests.newsletter, ({ body }, ctx) => submitNewsletterForm(ctx, body))
  addRoute(app, requests.subscription, ({ body }, ctx) => applyNewsletterChoice(ctx, body))
  addRoute(app, requests.whitePaper, ({ params, body }, ctx) => requestWhitePaper(ctx, params.slug, body))
  addRoute(app, requests.whitePaperFile, ({ params, query }, ctx) => renderWhitePaperFile(ctx, params.slug, query.key))
  addRoute(app, requests.webinar, ({ params, body }, ctx) => registerForWebinar(ctx, params.slug, body))

  addRoute(app, requests.list, ({ query }, { db, actor }) => listRequests(db, actor, query))
  addRoute(app, requests.export, async ({ query }, { db, actor }) =>
    buildRequestsFile(await listAllRequests(db, actor, query), query.format),
  )
  addRoute(app, requests.update, async ({ params, body }, ctx) =>
    noteRequestChange(ctx, await updateRequest(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, requests.reply, async ({ params, body }, ctx) =>
    noteRequestChange(ctx, await replyToRequest(ctx.db, ctx, ctx.actor, params.id, body)),
  )
}
