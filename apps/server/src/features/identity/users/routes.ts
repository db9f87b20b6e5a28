import { type User, users } from '@voisol/contract/users'
import type { FastifyInstance } from 'fastify'
import { buildTableFile } from '../../../files/table-file.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { listSessions, notifyAccountOwner, SECURITY_NOTICES } from '../auth/index.ts'
import { buildUserImportReport, planUserImport } from './import-users.ts'
import { inviteUser, resendInvitation } from './invite-user.ts'
import { listAllUsers, listCompanyUsers, loadUser } from './list-users.ts'
import { disableMember, enableMember, resetSecondFactor, revokeUserSessions, updateUser } from './users.ts'

/** Records the change in the audit log and returns the current user. */
function noteUserChange({ note }: RouteContext, { before, after }: { before: User; after: User }): User {
  note({ target: after.email, detail: { before: pickAuditedFields(before), after: pickAuditedFields(after) } })
  return after
}
/** The fields that an administrator can change. */
const pickAuditedFields = ({
  id: _,
  email: _email,
  lastSignInAt: _seen,
  createdAt: _made,
  version: _version,
  ...rest
}: User) => rest

export function userRoutes(app: FastifyInstance) {
  addRoute(app, users.list, ({ query }, { db, actor }) => listCompanyUsers(db, actor, query))
  addRoute(app, users.export, async ({ query }, { db, actor }) =>
    buildUsersFile(await listAllUsers(db, actor, query), query.format),
  )
  addRoute(app, users.get, ({ params }, { db, actor }) => loadUser(db, actor, params.id))
  addRoute(app, users.update, async ({ params, body }, ctx) =>
    noteUserChange(ctx, await updateUser(ctx.db, ctx.actor, params.id, body)),
  )
  addRoute(app, users.disable, async ({ params }, ctx) =>
    noteUserChange(ctx, await disableMember(ctx.db, ctx.actor, params.id)),
  )
  addRoute(app, users.enable, async ({ params }, ctx) =>
    noteUserChange(ctx, await enableMember(ctx.db, ctx.actor, params.id)),
  )
  invitationRoutes(app)
  securityRoutes(app)
}

function invitationRoutes(app: FastifyInstance) {
  addRoute(app, users.invite, async ({ body }, ctx) => {
    const user = await inviteUser(ctx.db, ctx, ctx.actor, body)
    ctx.note({ target: user.email, detail: { after: pickAuditedFields(user) } })
    return user
  })

  addRoute(app, users.resendInvitation, async ({ params }, ctx) => {
    const { db, actor, note } = ctx
    const user = await resendInvitation(db, ctx, actor, params.id)
    await throttle(db, `invitation ${actor.companyId} ${user.id}`, 5, 3600)
    note({ target: user.email })
    return { success: true as const }
  })

  addRoute(app, users.import, async ({ body }, ctx) => {
    const plans = await planUserImport(ctx, ctx.actor, body.csv)
    const report = buildUserImportReport(plans, body.dryRun)
    if (!body.dryRun)
      for (const { invitation } of plans) if (invitation) await inviteUser(ctx.db, ctx, ctx.actor, invitation)
    const { invited, existing, refused } = report
    ctx.note({ target: body.dryRun ? 'essai' : 'fichier', detail: { invited, existing, refused } })
    return report
  })
}

function securityRoutes(app: FastifyInstance) {
  addRoute(app, users.resetSecondFactor, async ({ params }, ctx) => {
    const { db, actor, request } = ctx
    const user = noteUserChange(ctx, await resetSecondFactor(db, actor, params.id))
    const owner = {
      userId: user.id,
      companyId: actor.companyId,
      space: user.role === 'client' ? 'portal' : 'office',
    } as const
    await notifyAccountOwner(db, ctx, owner, SECURITY_NOTICES.secondFactorReset, request)
    return user
  })

  addRoute(app, users.sessions, async ({ params }, { db, actor }) => {
    const user = await loadUser(db, actor, params.id)
    return { items: await listSessions(db, user.id, actor.companyId, actor.sessionId) }
  })

  addRoute(app, users.revokeSessions, async ({ params }, { db, actor, note }) => {
    const user = await loadUser(db, actor, params.id)
    const revoked = await revokeUserSessions(db, actor, user.id)
    note({ target: user.email, detail: { revoked } })
    return { success: true as const, revoked }
  })
}

const STATUS_LABELS = { active: 'Actif', invited: 'Invité', disabled: 'Désactivé' } as const
const HEADER = [
  'E-mail',
  'Prénom',
  'Nom',
  'Téléphone',
  'Rôle',
  'État',
  'Double authentification',
  'Dernière connexion',
  'Membre depuis',
]

const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})
const formatParisTime = (instant: string | null) => (instant ? DATE_TIME_FORMAT.format(new Date(instant)) : '')

const buildUsersFile = (users: User[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'utilisateurs',
    format,
    HEADER,
    users.map((user) => [
      user.email,
      user.firstName,
      user.lastName,
      user.phone,
      user.roleName,
      STATUS_LABELS[user.status],
      user.secondFactor,
      formatParisTime(user.lastSignInAt),
      formatParisTime(user.createdAt),
    ]),
  )
