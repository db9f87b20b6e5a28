import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { requireConfirmedAddress } from './confirm-address.ts'
import { NOTICES, tellOwner } from './notices.ts'
import { requireOwnPassword } from './own-password.ts'
import { requireReauthentication } from './reauthentication.ts'
import { WINDOW } from './refusals.ts'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from './second-factor-setup.ts'
import { addSecondFactorToSession } from './sessions.ts'

export function secondFactorRoutes(app: FastifyInstance) {
  route(app, auth.startSecondFactor, async ({ body }, ctx) => {
    const { db, secrets, actor } = ctx
    // A stolen session is not enough: the owner would be asked for a code that only the thief has.
    await requireReauthentication(ctx, body)
    await requireConfirmedAddress(db, actor)
    return startSecondFactor(db, secrets, actor.userId)
  })

  route(app, auth.enableSecondFactor, async ({ body }, ctx) => {
    const { db, aside, secrets, actor, request } = ctx
    await throttle(aside, `second-factor ${actor.userId}`, 20, WINDOW)
    await requireConfirmedAddress(db, actor)
    const recoveryCodes = await enableSecondFactor(db, secrets, actor.userId, body.code)
    await addSecondFactorToSession(db, actor, 'code')
    await tellOwner(db, ctx, actor, NOTICES.secondFactorOn, request)
    return { recoveryCodes }
  })

  route(app, auth.disableSecondFactor, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    await disableSecondFactor(db, user, body.password)
    await tellOwner(db, ctx, actor, NOTICES.secondFactorOff, request)
    return { success: true as const }
  })

  route(app, auth.renewRecoveryCodes, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.password, 'password')
    const recoveryCodes = await renewRecoveryCodes(db, user)
    await tellOwner(db, ctx, actor, NOTICES.recoveryCodes, request)
    return { recoveryCodes }
  })
}
