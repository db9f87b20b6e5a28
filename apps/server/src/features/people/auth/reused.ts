import { auth } from '@voisol/contract/auth'
import { eq } from 'drizzle-orm'
import { transaction } from '../../../db/client.ts'
import { sessions } from '../../../db/schema/index.ts'
import { appendAudit } from '../../../http/audit.ts'
import type { RouteContext } from '../../../http/route.ts'
import type { UserAccount } from './accounts.ts'
import { loadCurrentUser } from './current-user.ts'
import { describeDevice } from './device.ts'
import { buildSessionReusedNotice, notifyAccountOwner } from './notices.ts'

type Session = typeof sessions.$inferSelect
const { method, path, summary } = auth.refresh

/**
 * Two clients have the same refresh token and the owner cannot be identified, so that both are signed out. The call
 * itself is rolled back, hence the separate transaction.
 */
export const endReusedSession = (ctx: RouteContext<undefined>, session: Session, user: UserAccount) =>
  transaction(ctx.aside, async (tx) => {
    const { secrets, request } = ctx
    const { userId, companyId, userAgent, ip } = session
    const gone = await tx.delete(sessions).where(eq(sessions.id, session.id)).returning({ id: sessions.id })
    if (!gone.length) return
    await appendAudit(tx, secrets, {
      companyId,
      userId,
      actor: user.email,
      action: `${method} ${path}`,
      label: summary,
      target: user.email,
      outcome: 'refused',
      detail: { reason: 'refresh-reused', device: describeDevice(userAgent), openedFrom: ip },
      requestId: request.id,
      ip: request.ip,
    })
    const current = await loadCurrentUser(tx, userId, companyId).catch(() => undefined)
    if (current)
      await notifyAccountOwner(
        tx,
        ctx,
        { userId, companyId, space: current.space },
        buildSessionReusedNotice(session),
        request,
      )
  })
