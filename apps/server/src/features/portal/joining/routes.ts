import { joining } from '@voisol/contract/joining'
import { type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-management'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { listApplications, loadApplication, loadApplicationRow } from './application-queries.ts'
import {
  confirmApplication,
  loadOwnSignedDocument,
  signApplication,
  submitApplication,
  withdrawApplication,
} from './apply-to-join.ts'
import { acceptApplication, refuseApplication } from './decide-application.ts'
import { listDepartures, loadOwnDepartureText, requestDeparture, withdrawDeparture } from './departures.ts'
import { estimateSavings, loadPublicJoinPage, requireOpenJoinPage } from './join-page.ts'
import { loadJoinSettings, saveJoinSettings } from './join-settings.ts'
import { loadSignedDocumentFile } from './signed-documents.ts'

export function joiningRoutes(app: FastifyInstance) {
  visitorRoutes(app)
  officeRoutes(app)
  portalRoutes(app)
}

/** More than a visitor needs to compare; each estimate computes a whole year. */
const MAX_ESTIMATES_PER_HOUR = 60

function visitorRoutes(app: FastifyInstance) {
  addRoute(app, joining.page, async ({ params }, { db, request }) =>
    loadPublicJoinPage(db, await requireOpenJoinPage(db, request.hostname, params.slug)),
  )
  addRoute(app, joining.estimate, async ({ params, query }, ctx) => {
    await throttle(ctx.aside, `join estimate ${getClientNetwork(ctx.request.ip)}`, MAX_ESTIMATES_PER_HOUR, 3600)
    return estimateSavings(ctx, await requireOpenJoinPage(ctx.db, ctx.request.hostname, params.slug), query)
  })
  addRoute(app, joining.apply, ({ params, body }, ctx) => submitApplication(ctx, params.slug, body))
  addRoute(app, joining.verify, ({ params, body }, ctx) => confirmApplication(ctx, params.slug, body.key))
  addRoute(app, joining.sign, ({ params, body }, ctx) => signApplication(ctx, params.slug, body))
  addRoute(app, joining.withdraw, ({ params, body }, ctx) => withdrawApplication(ctx, params.slug, body.key))
  addRoute(app, joining.paper, ({ params, query }, ctx) => loadOwnSignedDocument(ctx, params.slug, query.key))
}

const pickAuditedFields = ({ kind, state, operation, effectiveOn, reason }: ApplicationDetail) => ({
  kind,
  state,
  operation,
  effectiveOn,
  reason,
})

function officeRoutes(app: FastifyInstance) {
  addRoute(app, joiningDesk.settings, ({ params }, { db, config, actor }) =>
    loadJoinSettings(db, config, actor, params.id),
  )
  addRoute(app, joiningDesk.saveSettings, async ({ params, body }, { db, config, actor, note }) => {
    const { operation, after } = await saveJoinSettings(db, config, actor, params.id, body)
    const { slug, isOpen, agreementVersion, noticeDays } = after
    note({ target: operation.name, detail: { after: { slug, isOpen, agreementVersion, noticeDays } } })
    return after
  })
  addRoute(app, joiningDesk.list, ({ query }, { db, actor }) => listApplications(db, actor, query))
  addRoute(app, joiningDesk.get, ({ params }, { db, actor }) => loadApplication(db, actor, params.id))
  addRoute(app, joiningDesk.accept, async ({ params, body }, ctx) => {
    const after = await acceptApplication(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: params.id, detail: { after: pickAuditedFields(after) } })
    return after
  })
  addRoute(app, joiningDesk.refuse, async ({ params, body }, ctx) => {
    const after = await refuseApplication(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: params.id, detail: { after: pickAuditedFields(after) } })
    return after
  })
  addRoute(app, joiningDesk.paper, async ({ params }, { db, files, actor }) =>
    loadSignedDocumentFile(db, files, await loadApplicationRow(db, actor, params.id)),
  )
}

function portalRoutes(app: FastifyInstance) {
  addRoute(app, joiningDesk.departures, (_, { db, actor }) => listDepartures(db, actor))
  addRoute(app, joiningDesk.departureText, ({ params, query }, { db, actor }) =>
    loadOwnDepartureText(db, actor, params.id, query),
  )
  addRoute(app, joiningDesk.depart, async ({ params, body }, ctx) => {
    const after = await requestDeparture(ctx, params.id, body)
    ctx.note({ target: after.operation, detail: { after: { kind: after.kind, wantedOn: after.wantedOn } } })
    return after
  })
  addRoute(app, joiningDesk.stay, async ({ params, body }, { db, actor, note }) => {
    const after = await withdrawDeparture(db, actor, params.id, body.version)
    note({ target: after.operation, detail: { after: { state: after.state } } })
    return after
  })
}
