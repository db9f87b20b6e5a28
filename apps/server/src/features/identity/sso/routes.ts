import { sso } from '@voisol/contract/sso'
import type { FastifyInstance } from 'fastify'
import { getRequestOrigin } from '../../../http/client-address.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { lockConfirmedAccount } from '../auth/index.ts'
import {
  listSsoConnections,
  loadConnectionView,
  loadConnectionViewById,
  removeScimToken,
  renewScimToken,
  setConnectionActive,
  setConnectionEnforced,
} from './connection-settings.ts'
import { addDomain, proveDomain, removeDomain } from './domains.ts'
import { registerSsoProviderRoutes } from './provider-routes.ts'
import { fetchSamlMetadata, parseSamlMetadata } from './saml-metadata.ts'
import { createSsoConnection, removeSsoConnection, updateSsoConnection } from './sso.ts'
import type { SsoConnectionRow } from './sso-connection.ts'
import { listSsoJournal } from './sso-journal.ts'
import { finishSsoSignIn, loadTestSignIn, startSsoSignIn, startTestSignIn } from './sso-sign-in.ts'

const SUCCESS = { success: true } as const
const getCallOrigin = ({ request, config }: Pick<RouteContext, 'request' | 'config'>) =>
  getRequestOrigin(request, config.PUBLIC_URL)

/** The log keeps what was chosen, never a secret. */
const pickAuditedFields = (row: SsoConnectionRow) => {
  const { name, kind, issuer, clientId, entityId, ssoUrl, responseSigned, groupClaim, roles, defaultRole } = row
  const { secretExpiresOn, activatedAt, enforcedAt, breakGlassId, scimMadeAt } = row
  const provider = kind === 'saml' ? { entityId, ssoUrl, responseSigned } : { issuer, clientId, secretExpiresOn }
  return { name, kind, provider, groupClaim, roles, defaultRole, activatedAt, enforcedAt, breakGlassId, scimMadeAt }
}

function noteConnectionChange(
  ctx: RouteContext,
  { before, after }: { before: SsoConnectionRow; after: SsoConnectionRow },
) {
  ctx.note({ target: after.name, detail: { before: pickAuditedFields(before), after: pickAuditedFields(after) } })
  return loadConnectionView(ctx.db, after, getCallOrigin(ctx))
}

export function ssoRoutes(app: FastifyInstance) {
  connectionRoutes(app)
  domainRoutes(app)
  switchRoutes(app)
  addRoute(app, sso.journal, async (_, { db, actor }) => ({ items: await listSsoJournal(db, actor) }))
  addRoute(app, sso.start, ({ body }, ctx) => startSsoSignIn(ctx, body.email))
  addRoute(app, sso.finish, ({ body }, ctx) => finishSsoSignIn(ctx, body.ticket))
  registerSsoProviderRoutes(app)
}

function connectionRoutes(app: FastifyInstance) {
  addRoute(app, sso.list, async (_, ctx) => ({
    items: await listSsoConnections(ctx.db, ctx.actor, getCallOrigin(ctx)),
  }))
  addRoute(app, sso.create, async ({ body }, ctx) => {
    await lockConfirmedAccount(ctx.db, ctx.actor)
    const row = await createSsoConnection(ctx.db, ctx.actor, body)
    ctx.note({ target: row.name, detail: { after: pickAuditedFields(row) } })
    return loadConnectionView(ctx.db, row, getCallOrigin(ctx))
  })
  addRoute(app, sso.update, async ({ params, body }, ctx) =>
    noteConnectionChange(ctx, await updateSsoConnection(ctx.db, ctx, ctx.actor, params.id, body)),
  )
  addRoute(app, sso.metadata, async ({ body: { url, xml } }, { outside, signal }) =>
    url ? parseSamlMetadata(await fetchSamlMetadata(outside, url, signal), 'url') : parseSamlMetadata(xml, 'xml'),
  )
  addRoute(app, sso.remove, async ({ params }, { db, actor, note }) => {
    const row = await removeSsoConnection(db, actor, params.id)
    note({ target: row.name, detail: { before: pickAuditedFields(row) } })
    return SUCCESS
  })
  addRoute(app, sso.test, async ({ params }, ctx) => {
    const { url, row } = await startTestSignIn(ctx, params.id)
    ctx.note({ target: row.name })
    return { url }
  })
  addRoute(app, sso.trial, ({ params }, { db, secrets, actor }) => loadTestSignIn(db, secrets, actor, params.id))
}

function domainRoutes(app: FastifyInstance) {
  addRoute(app, sso.addDomain, async ({ params, body }, ctx) => {
    await addDomain(ctx.db, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return loadConnectionViewById(ctx.db, ctx.actor, params.id, getCallOrigin(ctx))
  })
  addRoute(app, sso.proveDomain, async ({ params, body }, ctx) => {
    await proveDomain(ctx.db, ctx.outside, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return loadConnectionViewById(ctx.db, ctx.actor, params.id, getCallOrigin(ctx))
  })
  addRoute(app, sso.removeDomain, async ({ params, body }, ctx) => {
    await removeDomain(ctx.db, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return loadConnectionViewById(ctx.db, ctx.actor, params.id, getCallOrigin(ctx))
  })
}

function switchRoutes(app: FastifyInstance) {
  addRoute(app, sso.switch, async ({ params, body }, ctx) => {
    if (body.on) await lockConfirmedAccount(ctx.db, ctx.actor)
    return noteConnectionChange(ctx, await setConnectionActive(ctx.db, ctx.actor, params.id, body.on))
  })
  addRoute(app, sso.enforce, async ({ params, body }, ctx) =>
    noteConnectionChange(ctx, await setConnectionEnforced(ctx.db, ctx.actor, params.id, body.on, body.breakGlassId)),
  )
  addRoute(app, sso.scimToken, async ({ params }, ctx) => {
    await lockConfirmedAccount(ctx.db, ctx.actor)
    const { token, row } = await renewScimToken(ctx.db, ctx.actor, params.id)
    ctx.note({ target: row.name })
    return { token }
  })
  addRoute(app, sso.removeScimToken, async ({ params }, ctx) => {
    const row = await removeScimToken(ctx.db, ctx.actor, params.id)
    ctx.note({ target: row.name })
    return SUCCESS
  })
}
