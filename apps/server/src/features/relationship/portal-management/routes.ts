import { portalManagement } from '@voisol/contract/portal-management'
import type { FastifyInstance } from 'fastify'
import { portalShown } from '../../../core/portal-shown.ts'
import { networkOf } from '../../../http/network.ts'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { today } from '../../../today.ts'
import { activate } from './activation.ts'
import { makeLetters } from './letters.ts'
import { adoptionOf, listPeople } from './portal-management.ts'
import { remindAll } from './reminders.ts'
import { saveShown } from './settings.ts'
import { endView, openView } from './views.ts'

const WINDOW = 900

export function portalManagementRoutes(app: FastifyInstance) {
  route(app, portalManagement.settings, (_, { db, actor }) => portalShown(db, actor.companyId))
  route(app, portalManagement.shown, (_, { db, actor }) => portalShown(db, actor.companyId))
  route(app, portalManagement.saveSettings, async ({ body }, { db, actor, note }) => {
    const { before, after } = await saveShown(db, actor, body)
    note({ target: 'Portail', detail: { before, after } })
    return after
  })
  route(app, portalManagement.people, ({ query }, { db, actor }) => listPeople(db, actor, query))
  route(app, portalManagement.adoption, (_, { db, actor }) => adoptionOf(db, actor))
  route(app, portalManagement.remindAll, async ({ body }, ctx) => {
    const result = await remindAll(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: 'Invitations', detail: result })
    return result
  })
  letterRoutes(app)
  viewRoutes(app)
}

function letterRoutes(app: FastifyInstance) {
  route(app, portalManagement.letters, async ({ body }, ctx) => {
    const { count, content } = await makeLetters(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: 'Lettres', detail: { count } })
    return { name: `lettres-portail-${today()}.pdf`, content }
  })
  route(app, portalManagement.activate, async ({ body }, ctx) => {
    await throttle(ctx.aside, `activation ip ${networkOf(ctx.request.ip)}`, 10, WINDOW)
    const { companyId, name, companyName, known } = await activate(ctx.db, ctx, body)
    ctx.note({ companyId, target: name })
    return { companyName, known }
  })
}

function viewRoutes(app: FastifyInstance) {
  route(app, portalManagement.view, async ({ params }, { db, actor, note }) => {
    const view = await openView(db, actor, params.id)
    note({ target: view.name, detail: { participantId: params.id, viewId: view.viewId } })
    return view
  })
  route(app, portalManagement.endView, async ({ params }, { db, actor, note }) => {
    note({ target: await endView(db, actor, params.id) })
    return { success: true as const }
  })
}
