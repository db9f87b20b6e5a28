import { joining } from '@voisol/contract/joining'
import { type ApplicationDetail, joiningDesk } from '@voisol/contract/joining-desk'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { apply, ownPaper, sign, verify, withdraw } from './apply.ts'
import { acceptApplication, refuseApplication } from './decide.ts'
import { askToLeave, departuresOf, departureTextFor, stayAfterAll } from './departures.ts'
import { estimateFor } from './estimate.ts'
import { joinPage, openPage } from './page.ts'
import { paperOf } from './paper.ts'
import { joinSettings, saveJoinSettings } from './settings.ts'
import { findApplication, getApplication, listApplications } from './view.ts'

export function joiningRoutes(app: FastifyInstance) {
  visitors(app)
  office(app)
  portal(app)
}

/** More than one who compares needs; each of them computes a year. */
const ESTIMATES_AN_HOUR = 60

function visitors(app: FastifyInstance) {
  route(app, joining.page, async ({ params }, { db, request }) =>
    joinPage(db, await openPage(db, request.hostname, params.slug)),
  )
  route(app, joining.estimate, async ({ params, query }, ctx) => {
    await throttle(ctx.aside, `join estimate ${networkOf(ctx.request.ip)}`, ESTIMATES_AN_HOUR, 3600)
    return estimateFor(ctx, await openPage(ctx.db, ctx.request.hostname, params.slug), query)
  })
  route(app, joining.apply, ({ params, body }, ctx) => apply(ctx, params.slug, body))
  route(app, joining.verify, ({ params, body }, ctx) => verify(ctx, params.slug, body.key))
  route(app, joining.sign, ({ params, body }, ctx) => sign(ctx, params.slug, body))
  route(app, joining.withdraw, ({ params, body }, ctx) => withdraw(ctx, params.slug, body.key))
  route(app, joining.paper, ({ params, query }, ctx) => ownPaper(ctx, params.slug, query.key))
}

const facts = ({ kind, state, operation, effectiveOn, reason }: ApplicationDetail) => ({
  kind,
  state,
  operation,
  effectiveOn,
  reason,
})

function office(app: FastifyInstance) {
  route(app, joiningDesk.settings, ({ params }, { db, config, actor }) => joinSettings(db, config, actor, params.id))
  route(app, joiningDesk.saveSettings, async ({ params, body }, { db, config, actor, note }) => {
    const { operation, after } = await saveJoinSettings(db, config, actor, params.id, body)
    const { slug, isOpen, agreementVersion, noticeDays } = after
    note({ target: operation.name, detail: { after: { slug, isOpen, agreementVersion, noticeDays } } })
    return after
  })
  route(app, joiningDesk.list, ({ query }, { db, actor }) => listApplications(db, actor, query))
  route(app, joiningDesk.get, ({ params }, { db, actor }) => getApplication(db, actor, params.id))
  route(app, joiningDesk.accept, async ({ params, body }, ctx) => {
    const after = await acceptApplication(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: params.id, detail: { after: facts(after) } })
    return after
  })
  route(app, joiningDesk.refuse, async ({ params, body }, ctx) => {
    const after = await refuseApplication(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: params.id, detail: { after: facts(after) } })
    return after
  })
  route(app, joiningDesk.paper, async ({ params }, { db, files, actor }) =>
    paperOf(db, files, await findApplication(db, actor, params.id)),
  )
}

function portal(app: FastifyInstance) {
  route(app, joiningDesk.departures, (_, { db, actor }) => departuresOf(db, actor))
  route(app, joiningDesk.departureText, ({ params, query }, { db, actor }) =>
    departureTextFor(db, actor, params.id, query),
  )
  route(app, joiningDesk.depart, async ({ params, body }, ctx) => {
    const after = await askToLeave(ctx, params.id, body)
    ctx.note({ target: after.operation, detail: { after: { kind: after.kind, wantedOn: after.wantedOn } } })
    return after
  })
  route(app, joiningDesk.stay, async ({ params, body }, { db, actor, note }) => {
    const after = await stayAfterAll(db, actor, params.id, body.version)
    note({ target: after.operation, detail: { after: { state: after.state } } })
    return after
  })
}
