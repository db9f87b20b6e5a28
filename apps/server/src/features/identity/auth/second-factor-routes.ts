import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { notifyAccountOwner, SECURITY_NOTICES } from './account-mails.ts'
import { requireOwnPassword } from './change-password.ts'
import { lockConfirmedAccount } from './email-verification.ts'
import { requireReauthentication } from './reauthentication.ts'
import { disableSecondFactor, enableSecondFactor, renewRecoveryCodes, startSecondFactor } from './second-factor.ts'
import { addSecondFactorToSession } from './sessions.ts'
import { ATTEMPT_WINDOW_SECONDS } from './sign-in-attempts.ts'

export function secondFactorRoutes(app: FastifyInstance) {
  addRoute(app, auth.startSecondFactor, async ({ body }, ctx) => {
    const { db, secrets, actor } = ctx
    // A stolen session must not be enough: a second factor set up by a thief would lock out the owner.
    await requireReauthentication(ctx, body)
    await lockConfirmedAccount(db, actor)
    return startSecondFactor(db, secrets, actor.userId)
  })

  addRoute(app, auth.enableSecondFactor, async ({ body }, ctx) => {
    const { db, aside, secrets, actor, request } = ctx
    await throttle(aside, `second-factor ${actor.userId}`, 20, ATTEMPT_WINDOW_SECONDS)
    await lockConfirmedAccount(db, actor)
    const recoveryCodes = await enableSecondFactor(db, secrets, actor.userId, body.code)
    await addSecondFactorToSession(db, actor, 'code')
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.secondFactorOn, request)
    return { recoveryCodes }
  })

  addRoute(app, auth.disableSecondFactor, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await disableSecondFactor(db, user, body.password)
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.secondFactorOff, request)
    return { success: true as const }
  })

  addRoute(app, auth.renewRecoveryCodes, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    const recoveryCodes = await renewRecoveryCodes(db, user)
    await notifyAccountOwner(db, ctx, actor, SECURITY_NOTICES.recoveryCodes, request)
    return { recoveryCodes }
  })
}
