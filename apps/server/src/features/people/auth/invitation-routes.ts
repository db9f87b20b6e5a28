import { auth } from '@voisol/contract/auth'
import type { FastifyInstance } from 'fastify'
import { record } from '../../../core/events.ts'
import { route } from '../../../http/route.ts'
import { enter } from './enter.ts'
import { acceptInvitation, readInvitation } from './invitations.ts'
import { attemptOf } from './refusals.ts'

export function invitationRoutes(app: FastifyInstance) {
  route(app, auth.invitation, ({ params }, { db }) => readInvitation(db, params.token))

  route(app, auth.acceptInvitation, async ({ params, body }, ctx) => {
    const { db } = ctx
    const attempt = attemptOf(ctx, auth.acceptInvitation)
    const { user, companyId, openedWith } = await acceptInvitation(db, params.token, body, attempt)
    // The address of the call holds the token: the audit entry names the person instead.
    const signedIn = await enter(ctx, user, companyId, { openedWith })
    await record(db, { companyId, name: 'invitation.accepted', object: user.id, data: { userId: user.id } })
    return signedIn
  })
}
