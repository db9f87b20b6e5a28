import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { openSubscription } from '../../../core/plan.ts'
import { unlessAway } from '../../../db/away.ts'
import { AppError } from '../../../http/errors.ts'
import { networkOf } from '../../../http/network.ts'
import { type Context, route } from '../../../http/route.ts'
import { tokenOf } from '../../../http/session.ts'
import { throttle } from '../../../http/throttle.ts'
import { type Account, findHome } from './accounts.ts'
import { checkCredentials, homeCompany, learnLength, register, switchCompany, switchSpace } from './auth.ts'
import { currentUser } from './current-user.ts'
import { enter } from './enter.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { mailRegistrationTried } from './mails.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { refreshSession } from './refresh.ts'
import { attemptOf, recordingRefusals } from './refusals.ts'
import { secondFactorRoutes } from './second-factor-routes.ts'
import { closeSession, listOwnSessions, revokeOtherSessions, revokeOwnSession } from './sessions.ts'
import { askVerification, verifyEmail } from './verification.ts'

const DONE = { success: true } as const

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
  route(app, auth.login, async ({ body }, ctx) => {
    const { db } = ctx
    const attempt = attemptOf(ctx, auth.login)
    const { user, openedWith, companyId } = await recordingRefusals(attempt, body.email, async () => {
      // While a machine that keeps it is away, it is seen the next time.
      const learn = (user: Account) => unlessAway(learnLength(ctx.aside, user, body.password), undefined)
      const { user, openedWith } = await checkCredentials(db, body, attempt, learn)
      return { user, openedWith, companyId: await homeCompany(db, user) }
    })
    return enter(ctx, user, companyId, { openedWith })
  })

  route(app, auth.register, async ({ body }, ctx) => {
    await throttle(ctx.aside, `register ip ${networkOf(ctx.request.ip)}`, 20, 3600)
    const { user, company } = await register(ctx.db, body).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'email-taken') await warnOwner(ctx, body.email)
      throw error
    })
    if (ctx.config.subscriptions) await openSubscription(ctx.db, company.id)
    await askVerification(ctx.db, ctx, user)
    return enter(ctx, user, company.id, { openedWith: 'password', target: company.name })
  })

  route(app, auth.logout, async (_, { db, request, note }) => {
    const token = tokenOf(request)
    const [gone] = token ? await closeSession(db, token) : []
    if (gone) {
      const user = await currentUser(db, gone.userId, gone.companyId).catch(() => undefined)
      if (user) note({ companyId: gone.companyId, actor: { userId: user.id, email: user.email } })
    }
    return DONE
  })

  route(app, auth.refresh, async ({ body }, ctx) => ({ ...DONE, ...(await refreshSession(ctx, body.refreshToken)) }))
}

function verificationRoutes(app: FastifyInstance) {
  route(app, auth.verifyEmail, async ({ body }, { db, aside, request, note }) => {
    await throttle(aside, `verify ip ${networkOf(request.ip)}`, 20, 3600)
    const confirmer = { sessionToken: tokenOf(request), password: body.password }
    const { id: userId, email } = await verifyEmail(db, aside, body.token, confirmer)
    note({ actor: { userId, email }, target: email, companyId: (await findHome(db, userId)) ?? 0 })
    return DONE
  })

  route(app, auth.askVerification, async (_, ctx) => {
    const { db, aside, actor, note } = ctx
    note({ target: actor.email })
    if (actor.user.emailVerified) return DONE
    await throttle(aside, `verification mail ${actor.userId}`, 3, 3600)
    await askVerification(db, ctx, { id: actor.userId, email: actor.email })
    return DONE
  })
}

/** The owner of the address learns of the attempt; at most three messages a day, whoever insists. */
async function warnOwner(ctx: Context<undefined>, email: string) {
  const allowed = await throttle(ctx.aside, `register mail ${email}`, 3, 86_400).then(
    () => true,
    () => false,
  )
  if (allowed) await mailRegistrationTried(ctx.aside, ctx, email)
}

function sessionRoutes(app: FastifyInstance) {
  route(app, auth.me, async (_, { actor }) => actor.user)

  route(app, auth.switchCompany, async ({ body }, { db, actor, note }) => {
    await switchCompany(db, actor, body.companyId)
    const user = await currentUser(db, actor.userId, body.companyId, { bySso: actor.openedWith === 'sso' })
    note({ target: user.companyName })
    return user
  })

  route(app, auth.switchSpace, async ({ body }, { db, actor, note }) => {
    note({ target: body.space })
    return switchSpace(db, actor, body.space)
  })

  route(app, auth.sessions, async (_, { db, actor }) => ({
    items: await listOwnSessions(db, actor),
  }))
  route(app, auth.revokeSession, async ({ params }, { db, actor }) => {
    await revokeOwnSession(db, actor, params.id)
    return DONE
  })
  route(app, auth.revokeOtherSessions, async (_, { db, actor }) => ({
    ...DONE,
    revoked: await revokeOtherSessions(db, actor),
  }))
}
