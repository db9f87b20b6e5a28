import { sso } from '@voisol/contract/sso'
import type { FastifyInstance } from 'fastify'
import { originOf } from '../../../http/origin.ts'
import { type Context, route } from '../../../http/route.ts'
import { requireConfirmedAddress } from '../auth/auth.ts'
import { addDomain, proveDomain, removeDomain } from './domains.ts'
import { registerSsoDoors } from './doors.ts'
import { readJournal } from './journal.ts'
import { fetchMetadata, readMetadata } from './metadata.ts'
import { registerScim } from './scim-routes.ts'
import type { Connection } from './scope.ts'
import { finishSignIn, startSignIn } from './sign-in.ts'
import { createConnection, removeConnection, updateConnection } from './sso.ts'
import { enforceConnection, removeScimToken, renewScimToken, switchConnection } from './switches.ts'
import { readTrial, startTrial } from './trial.ts'
import { listConnections, shownConnection, viewConnection } from './view.ts'

const DONE = { success: true } as const
const originOfCall = ({ request, config }: Pick<Context, 'request' | 'config'>) => originOf(request, config.PUBLIC_URL)

/** The log keeps what was chosen, never a secret. */
const facts = (row: Connection) => {
  const { name, kind, issuer, clientId, entityId, ssoUrl, responseSigned, groupClaim, roles, defaultRole } = row
  const { secretExpiresOn, activatedAt, enforcedAt, breakGlassId, scimMadeAt } = row
  const provider = kind === 'saml' ? { entityId, ssoUrl, responseSigned } : { issuer, clientId, secretExpiresOn }
  return { name, kind, provider, groupClaim, roles, defaultRole, activatedAt, enforcedAt, breakGlassId, scimMadeAt }
}

function changed(ctx: Context, { before, after }: { before: Connection; after: Connection }) {
  ctx.note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
  return viewConnection(ctx.db, after, originOfCall(ctx))
}

export function ssoRoutes(app: FastifyInstance) {
  connectionRoutes(app)
  domainRoutes(app)
  switchRoutes(app)
  route(app, sso.journal, async (_, { db, actor }) => ({ items: await readJournal(db, actor) }))
  route(app, sso.start, ({ body }, ctx) => startSignIn(ctx, body.email))
  route(app, sso.finish, ({ body }, ctx) => finishSignIn(ctx, body.ticket))
  registerSsoDoors(app)
  registerScim(app)
}

function connectionRoutes(app: FastifyInstance) {
  route(app, sso.list, async (_, ctx) => ({ items: await listConnections(ctx.db, ctx.actor, originOfCall(ctx)) }))
  route(app, sso.create, async ({ body }, ctx) => {
    await requireConfirmedAddress(ctx.db, ctx.actor)
    const row = await createConnection(ctx.db, ctx.actor, body)
    ctx.note({ target: row.name, detail: { after: facts(row) } })
    return viewConnection(ctx.db, row, originOfCall(ctx))
  })
  route(app, sso.update, async ({ params, body }, ctx) =>
    changed(ctx, await updateConnection(ctx.db, ctx, ctx.actor, params.id, body)),
  )
  route(app, sso.metadata, async ({ body: { url, xml } }, { outside, signal }) =>
    url ? readMetadata(await fetchMetadata(outside, url, signal), 'url') : readMetadata(xml, 'xml'),
  )
  route(app, sso.remove, async ({ params }, { db, actor, note }) => {
    const row = await removeConnection(db, actor, params.id)
    note({ target: row.name, detail: { before: facts(row) } })
    return DONE
  })
  route(app, sso.test, async ({ params }, ctx) => {
    const { url, row } = await startTrial(ctx, params.id)
    ctx.note({ target: row.name })
    return { url }
  })
  route(app, sso.trial, ({ params }, { db, secrets, actor }) => readTrial(db, secrets, actor, params.id))
}

function domainRoutes(app: FastifyInstance) {
  route(app, sso.addDomain, async ({ params, body }, ctx) => {
    await addDomain(ctx.db, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return shownConnection(ctx.db, ctx.actor, params.id, originOfCall(ctx))
  })
  route(app, sso.proveDomain, async ({ params, body }, ctx) => {
    await proveDomain(ctx.db, ctx.outside, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return shownConnection(ctx.db, ctx.actor, params.id, originOfCall(ctx))
  })
  route(app, sso.removeDomain, async ({ params, body }, ctx) => {
    await removeDomain(ctx.db, ctx.actor, params.id, body.domain)
    ctx.note({ target: body.domain })
    return shownConnection(ctx.db, ctx.actor, params.id, originOfCall(ctx))
  })
}

function switchRoutes(app: FastifyInstance) {
  route(app, sso.switch, async ({ params, body }, ctx) => {
    if (body.on) await requireConfirmedAddress(ctx.db, ctx.actor)
    return changed(ctx, await switchConnection(ctx.db, ctx.actor, params.id, body.on))
  })
  route(app, sso.enforce, async ({ params, body }, ctx) =>
    changed(ctx, await enforceConnection(ctx.db, ctx.actor, params.id, body.on, body.breakGlassId)),
  )
  route(app, sso.scimToken, async ({ params }, ctx) => {
    await requireConfirmedAddress(ctx.db, ctx.actor)
    const { token, row } = await renewScimToken(ctx.db, ctx.actor, params.id)
    ctx.note({ target: row.name })
    return { token }
  })
  route(app, sso.removeScimToken, async ({ params }, ctx) => {
    const row = await removeScimToken(ctx.db, ctx.actor, params.id)
    ctx.note({ target: row.name })
    return DONE
  })
}
