import { type PortalSettingsUpdate, portalManagement } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { loadPortalDisplay, lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { portalSettings } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import { getToday } from '../../../today.ts'
import { listPortalPeople, loadAdoption } from './index.ts'
import { endPortalImpersonation, startPortalImpersonation } from './portal-impersonation.ts'
import { activatePortalAccess, createActivationLetters, remindPendingInvitations } from './portal-invitations.ts'

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

async function savePortalSettings(tx: Db, { companyId }: Actor, input: z.output<typeof PortalSettingsUpdate>) {
  await lockCompany(tx, companyId)
  const before = await loadPortalDisplay(tx, companyId)
  requireCurrentVersion(before, input)
  const values = { ...input, welcome: normalizePlainText(input.welcome), version: input.version + 1 }
  if (before.version === 0) await tx.insert(portalSettings).values({ companyId, ...values })
  else await tx.update(portalSettings).set(values).where(eq(portalSettings.companyId, companyId))
  return { before, after: await loadPortalDisplay(tx, companyId) }
}
