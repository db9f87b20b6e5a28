import { portalManagement } from '@voisol/contract/portal-management'
import type { FastifyInstance } from 'fastify'
import { loadPortalDisplay } from '../../../core/portal-shown.ts'
import { getClientNetwork } from '../../../http/network.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { getToday } from '../../../today.ts'
import { activatePortalAccess } from './activation.ts'
import { createActivationLetters } from './letters.ts'
import { listPortalPeople, loadAdoption } from './portal-management.ts'
import { remindPendingInvitations } from './reminders.ts'
import { savePortalSettings } from './settings.ts'
import { endPortalImpersonation, startPortalImpersonation } from './views.ts'

const ACTIVATION_WINDOW_SECONDS = 900

export function portalManagementRoutes(app: FastifyInstance) {
  addRoute(app, portalManagement.settings, (_, { db, actor }) => loadPortalDisplay(db, actor.companyId))
  addRoute(app, portalManagement.shown, (_, { db, actor }) => loadPortalDisplay(db, actor.companyId))
  addRoute(app, portalManagement.saveSettings, async ({ body }, { db, actor, note }) => {
    const { before, after } = await savePortalSettings(db, actor, body)
    note({ target: 'Portail', detail: { before, after } })
    return after
  })
  addRoute(app, portalManagement.people, ({ query }, { db, actor }) => listPortalPeople(db, actor, query))
  addRoute(app, portalManagement.adoption, (_, { db, actor }) => loadAdoption(db, actor))
  addRoute(app, portalManagement.remindAll, async ({ body }, ctx) => {
    const result = await remindPendingInvitations(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: 'Invitations', detail: result })
    return result
  })
  letterRoutes(app)
  viewRoutes(app)
}

function letterRoutes(app: FastifyInstance) {
  addRoute(app, portalManagement.letters, async ({ body }, ctx) => {
    const { count, content } = await createActivationLetters(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: 'Lettres', detail: { count } })
    return { name: `lettres-portail-${getToday()}.pdf`, content }
  })
  addRoute(app, portalManagement.activate, async ({ body }, ctx) => {
    await throttle(ctx.aside, `activation ip ${getClientNetwork(ctx.request.ip)}`, 10, ACTIVATION_WINDOW_SECONDS)
    const { companyId, name, companyName, known } = await activatePortalAccess(ctx.db, ctx, body)
    ctx.note({ companyId, target: name })
    return { companyName, known }
  })
}

function viewRoutes(app: FastifyInstance) {
  addRoute(app, portalManagement.view, async ({ params }, { db, actor, note }) => {
    const view = await startPortalImpersonation(db, actor, params.id)
    note({ target: view.name, detail: { participantId: params.id, viewId: view.viewId } })
    return view
  })
  addRoute(app, portalManagement.endView, async ({ params }, { db, actor, note }) => {
    note({ target: await endPortalImpersonation(db, actor, params.id) })
    return { success: true as const }
  })
}
