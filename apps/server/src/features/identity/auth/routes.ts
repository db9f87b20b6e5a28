import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { startTrialSubscription } from '../../../core/plan.ts'
import { catchUnavailable } from '../../../db/database-unavailable.ts'
import { getClientNetwork } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { getAuthToken } from '../../../http/session.ts'
import { throttle } from '../../../http/throttle.ts'
import { invitationRoutes } from './accept-invitation.ts'
import { sendRegistrationAttemptMail } from './account-mails.ts'
import { findHomeCompanyId, type UserAccount } from './accounts.ts'
import {
  checkCredentials,
  recordPasswordLength,
  registerCompany,
  requireHomeCompanyId,
  switchCompany,
  switchSpace,
} from './auth.ts'
import { completeSignIn, loadCurrentUser } from './complete-sign-in.ts'
import { requestEmailVerification, verifyEmail } from './email-verification.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { refreshSession } from './refresh-session.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { closeSession, listOwnSessions, revokeOtherSessions, revokeOwnSession } from './sessions.ts'
import { auditRefusals, toSignInAttempt } from './sign-in-attempts.ts'

const SUCCESS = { success: true } as const

export function authRoutes(app: FastifyInstance) {
  signInRoutes(app)
  sessionRoutes(app)
  passwordRoutes(app)
  secondFactorRoutes(app)
  invitationRoutes(app)
  passkeyRoutes(app)
  verificationRoutes(app)
}

function signInRoutes(app: FastifyInstance) {
  addRoute(app, auth.login, async ({ body }, ctx) => {
    const { db } = ctx
    const attempt = toSignInAttempt(ctx, auth.login)
    const { user, openedWith, companyId } = await auditRefusals(attempt, body.email, async () => {
      // If a Citus node is down, the length is recorded at the next sign-in.
      const learn = (user: UserAccount) =>
        catchUnavailable(recordPasswordLength(ctx.aside, user, body.password), undefined)
      const { user, openedWith } = await checkCredentials(db, body, attempt, learn)
      return { user, openedWith, companyId: await requireHomeCompanyId(db, user) }
    })
    return completeSignIn(ctx, user, companyId, { openedWith })
  })

  addRoute(app, auth.register, async ({ body }, ctx) => {
    await throttle(ctx.aside, `register ip ${getClientNetwork(ctx.request.ip)}`, 20, 3600)
    const { user, company } = await registerCompany(ctx.db, body).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'email-taken') await warnAddressOwner(ctx, body.email)
      throw error
    })
    if (ctx.config.subscriptions) await startTrialSubscription(ctx.db, company.id)
    await requestEmailVerification(ctx.db, ctx, user)
    return completeSignIn(ctx, user, company.id, { openedWith: 'password', target: company.name })
  })

  addRoute(app, auth.logout, async (_, { db, request, note }) => {
    const token = getAuthToken(request)
    const [gone] = token ? await closeSession(db, token) : []
    if (gone) {
      const user = await loadCurrentUser(db, gone.userId, gone.companyId).catch(() => undefined)
      if (user) note({ companyId: gone.companyId, actor: { userId: user.id, email: user.email } })
    }
    return SUCCESS
  })

  addRoute(app, auth.refresh, async ({ body }, ctx) => ({
    ...SUCCESS,
    ...(await refreshSession(ctx, body.refreshToken)),
  }))
}

function verificationRoutes(app: FastifyInstance) {
  addRoute(app, auth.verifyEmail, async ({ body }, { db, aside, request, note }) => {
    await throttle(aside, `verify ip ${getClientNetwork(request.ip)}`, 20, 3600)
    const confirmer = { sessionToken: getAuthToken(request), password: body.password }
    const { id: userId, email } = await verifyEmail(db, aside, body.token, confirmer)
    note({ actor: { userId, email }, target: email, companyId: (await findHomeCompanyId(db, userId)) ?? 0 })
    return SUCCESS
  })

  addRoute(app, auth.askVerification, async (_, ctx) => {
    const { db, aside, actor, note } = ctx
    note({ target: actor.email })
    if (actor.user.emailVerified) return SUCCESS
    await throttle(aside, `verification mail ${actor.userId}`, 3, 3600)
    await requestEmailVerification(db, ctx, { id: actor.userId, email: actor.email })
    return SUCCESS
  })
}

/** Informs the owner of the address of the attempt, with at most three mails a day. */
async function warnAddressOwner(ctx: RouteContext<undefined>, email: string) {
  const allowed = await throttle(ctx.aside, `register mail ${email}`, 3, 86_400).then(
    () => true,
    () => false,
  )
  if (allowed) await sendRegistrationAttemptMail(ctx.aside, ctx, email)
}

function sessionRoutes(app: FastifyInstance) {
  addRoute(app, auth.me, async (_, { actor }) => actor.user)

  addRoute(app, auth.switchCompany, async ({ body }, { db, actor, note }) => {
    await switchCompany(db, actor, body.companyId)
    const user = await loadCurrentUser(db, actor.userId, body.companyId, { bySso: actor.openedWith === 'sso' })
    note({ target: user.companyName })
    return user
  })

  addRoute(app, auth.switchSpace, async ({ body }, { db, actor, note }) => {
    note({ target: body.space })
    return switchSpace(db, actor, body.space)
  })

  addRoute(app, auth.sessions, async (_, { db, actor }) => ({
    items: await listOwnSessions(db, actor),
  }))
  addRoute(app, auth.revokeSession, async ({ params }, { db, actor }) => {
    await revokeOwnSession(db, actor, params.id)
    return SUCCESS
  })
  addRoute(app, auth.revokeOtherSessions, async (_, { db, actor }) => ({
    ...SUCCESS,
    revoked: await revokeOtherSessions(db, actor),
  }))
}
