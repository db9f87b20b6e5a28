import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { notifyAccountOwner, SECURITY_NOTICES } from './account-mails.ts'
import { findHomeCompanyId, type UserAccount } from './accounts.ts'
import { changePassword, requestPasswordReset, requireOwnPassword, resetPasswordByToken } from './change-password.ts'
import { loadCurrentUser } from './complete-sign-in.ts'
import { rememberDevice } from './devices.ts'
import { ATTEMPT_WINDOW_SECONDS, clearSignInAttempts } from './sign-in-attempts.ts'

const SUCCESS = { success: true } as const

export function passwordRoutes(app: FastifyInstance) {
  addRoute(app, auth.forgotPassword, async ({ body }, { db, aside, secrets, request }) => {
    await throttle(aside, `forgot ip ${getClientNetwork(request.ip)}`, 20, ATTEMPT_WINDOW_SECONDS)
    await throttle(aside, `forgot address ${body.email}`, 5, ATTEMPT_WINDOW_SECONDS)
    await requestPasswordReset(db, secrets, body.email)
    return SUCCESS
  })

  addRoute(app, auth.resetPassword, async ({ body }, ctx) => {
    await throttle(ctx.aside, `reset ip ${getClientNetwork(ctx.request.ip)}`, 20, ATTEMPT_WINDOW_SECONDS)
    const user = await resetPasswordByToken(ctx.db, body.token, body.password)
    await notifyAfterReset(ctx, user)
    // Clears the attempts, so that neither an attacker's guesses nor attempts from the same network block the owner.
    await clearSignInAttempts(ctx.aside, user.email)
    rememberDevice(ctx, user)
    return SUCCESS
  })

  addRoute(app, auth.changePassword, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.current, 'current')
    await changePassword(db, actor, user, body.current, body.password)
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.passwordChanged, request)
    return SUCCESS
  })
}

async function notifyAfterReset(ctx: RouteContext<undefined>, user: UserAccount) {
  const actor = { userId: user.id, email: user.email }
  const companyId = await findHomeCompanyId(ctx.db, user.id)
  ctx.note({ actor, target: user.email, companyId: companyId ?? 0 })
  if (companyId === undefined) return
  const { space } = await loadCurrentUser(ctx.db, user.id, companyId)
  await notifyAccountOwner(
    ctx.db,
    ctx,
    { userId: user.id, companyId, space },
    SECURITY_NOTICES.passwordChanged,
    ctx.request,
  )
}
