import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { recordEvent } from '../../../core/events.ts'
import { addRoute } from '../../../http/route.ts'
import { completeSignIn } from './enter.ts'
import { acceptInvitation, loadInvitation } from './invitations.ts'
import { toSignInAttempt } from './refusals.ts'

export function invitationRoutes(app: FastifyInstance) {
  addRoute(app, auth.invitation, ({ params }, { db }) => loadInvitation(db, params.token))

  addRoute(app, auth.acceptInvitation, async ({ params, body }, ctx) => {
    const { db } = ctx
    const attempt = toSignInAttempt(ctx, auth.acceptInvitation)
    const { user, companyId, openedWith } = await acceptInvitation(db, params.token, body, attempt)
    // The URL contains the token, so that the audit entry names the person instead.
    const signedIn = await completeSignIn(ctx, user, companyId, { openedWith })
    await recordEvent(db, { companyId, name: 'invitation.accepted', object: user.id, data: { userId: user.id } })
    return signedIn
  })
}
