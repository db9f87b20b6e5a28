import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../../http/network.ts'
import { type Context, route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { type Account, findHome } from './accounts.ts'
import { currentUser } from './current-user.ts'
import { rememberDevice } from './known-device.ts'
import { NOTICES, tellOwner } from './notices.ts'
import { changePassword, requireOwnPassword } from './own-password.ts'
import { askReset, resetPassword } from './password-reset.ts'
import { WINDOW } from './refusals.ts'
import { forgetAttempts } from './sign-in-limits.ts'

const DONE = { success: true } as const

export function passwordRoutes(app: FastifyInstance) {
  route(app, auth.forgotPassword, async ({ body }, { db, aside, secrets, request }) => {
    await throttle(aside, `forgot ip ${networkOf(request.ip)}`, 20, WINDOW)
    await throttle(aside, `forgot address ${body.email}`, 5, WINDOW)
    await askReset(db, secrets, body.email)
    return DONE
  })

  route(app, auth.resetPassword, async ({ body }, ctx) => {
    await throttle(ctx.aside, `reset ip ${networkOf(ctx.request.ip)}`, 20, WINDOW)
    const user = await resetPassword(ctx.db, body.token, body.password)
    await tellAfterReset(ctx, user)
    // Whoever locked the account out by guessing does not keep its owner out, nor does what others try in the same network.
    await forgetAttempts(ctx.aside, user.email)
    rememberDevice(ctx, user)
    return DONE
  })

  route(app, auth.changePassword, async ({ body }, ctx) => {
    const { db, aside, actor, request } = ctx
    const user = await requireOwnPassword(db, aside, actor, body.current, 'current')
    await changePassword(db, actor, user, body.current, body.password)
    await tellOwner(db, ctx, actor, NOTICES.passwordChanged, request)
    return DONE
  })
}

async function tellAfterReset(ctx: Context<undefined>, user: Account) {
  const actor = { userId: user.id, email: user.email }
  const companyId = await findHome(ctx.db, user.id)
  ctx.note({ actor, target: user.email, companyId: companyId ?? 0 })
  if (companyId === undefined) return
  const { space } = await currentUser(ctx.db, user.id, companyId)
  await tellOwner(ctx.db, ctx, { userId: user.id, companyId, space }, NOTICES.passwordChanged, ctx.request)
}
