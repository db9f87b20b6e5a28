import { type User, users } from '@voisol/contract/users'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { listSessions, NOTICES, tellOwner } from '../auth/auth.ts'
import { usersFile } from './export.ts'
import { planImport, reportOf } from './import.ts'
import { inviteUser, resendInvitation } from './invitations.ts'
import { disableUser, enableUser, resetSecondFactor, revokeUserSessions, updateUser } from './users.ts'
import { allUsers, getUser, listUsers } from './view.ts'

/** Keeps what changed for the audit log and answers with the user as they are now. */
function changed({ note }: Context, { before, after }: { before: User; after: User }): User {
  note({ target: after.email, detail: { before: facts(before), after: facts(after) } })
  return after
}
/** What an administrator can change. */
const facts = ({ id: _, email: _email, lastSignInAt: _seen, createdAt: _made, version: _version, ...rest }: User) =>
  rest

export function userRoutes(app: FastifyInstance) {
  route(app, users.list, ({ query }, { db, actor }) => listUsers(db, actor, query))
  route(app, users.export, async ({ query }, { db, actor }) =>
    usersFile(await allUsers(db, actor, query), query.format),
  )
  route(app, users.get, ({ params }, { db, actor }) => getUser(db, actor, params.id))
  route(app, users.update, async ({ params, body }, ctx) =>
    changed(ctx, await updateUser(ctx.db, ctx.actor, params.id, body)),
  )
  route(app, users.disable, async ({ params }, ctx) => changed(ctx, await disableUser(ctx.db, ctx.actor, params.id)))
  route(app, users.enable, async ({ params }, ctx) => changed(ctx, await enableUser(ctx.db, ctx.actor, params.id)))
  invitationRoutes(app)
  securityRoutes(app)
}

function invitationRoutes(app: FastifyInstance) {
  route(app, users.invite, async ({ body }, ctx) => {
    const user = await inviteUser(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: user.email, detail: { after: facts(user) } })
    return user
  })

  route(app, users.resendInvitation, async ({ params }, ctx) => {
    const { db, actor, note } = ctx
    const user = await resendInvitation(db, ctx, actor, params.id)
    await throttle(db, `invitation ${actor.companyId} ${user.id}`, 5, 3600)
    note({ target: user.email })
    return { success: true as const }
  })

  route(app, users.import, async ({ body }, ctx) => {
    const plans = await planImport(ctx, ctx.actor, body.csv)
    const report = reportOf(plans, body.dryRun)
    if (!body.dryRun)
      for (const { invitation } of plans) if (invitation) await inviteUser(ctx.db, ctx, ctx.actor, invitation)
    const { invited, existing, refused } = report
    ctx.note({ target: body.dryRun ? 'essai' : 'fichier', detail: { invited, existing, refused } })
    return report
  })
}

function securityRoutes(app: FastifyInstance) {
  route(app, users.resetSecondFactor, async ({ params }, ctx) => {
    const { db, actor, request } = ctx
    const user = changed(ctx, await resetSecondFactor(db, actor, params.id))
    const owner = {
      userId: user.id,
      companyId: actor.companyId,
      space: user.role === 'client' ? 'portal' : 'office',
    } as const
    await tellOwner(db, ctx, owner, NOTICES.secondFactorReset, request)
    return user
  })

  route(app, users.sessions, async ({ params }, { db, actor }) => {
    const user = await getUser(db, actor, params.id)
    return { items: await listSessions(db, user.id, actor.companyId, actor.sessionId) }
  })

  route(app, users.revokeSessions, async ({ params }, { db, actor, note }) => {
    const user = await getUser(db, actor, params.id)
    const revoked = await revokeUserSessions(db, actor, user.id)
    note({ target: user.email, detail: { revoked } })
    return { success: true as const, revoked }
  })
}
