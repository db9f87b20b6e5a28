import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { catchUnavailable } from '../../../db/away.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, sessions, signIns } from '../../../db/schema/index.ts'
import type { SessionOpening } from '../../../http/actor.ts'
import type { RouteContext } from '../../../http/route.ts'
import type { UserAccount } from './accounts.ts'
import { loadCurrentUser } from './current-user.ts'
import { getUserAgent } from './device.ts'
import { rememberDevice } from './known-device.ts'
import { buildNewDeviceNotice, notifyAccountOwner } from './notices.ts'
import { openSession } from './sessions.ts'

/** How the person proved who they are, what the journal names, and the company's connection that vouched for them, where one did. */
type CompleteSignInInput = { openedWith: SessionOpening['openedWith']; target?: string; sso?: { id: string } }

/** Opens the session and gives what the browser keeps; a device not seen before is announced to its owner. */
export async function completeSignIn(
  ctx: RouteContext<undefined>,
  user: UserAccount,
  companyId: number,
  { openedWith, target = user.email, sso }: CompleteSignInInput,
) {
  const { db, request } = ctx
  const isNewDevice = (await hasSignedIn(db, user.id)) && !(await isKnownDevice(ctx, user.id, companyId))
  const tokens = await openSession(db, request, { user, companyId, openedWith, ssoConnectionId: sso?.id })
  rememberDevice(ctx, user)
  const current = await loadCurrentUser(db, user.id, companyId, { bySso: openedWith === 'sso' })
  const { space } = current
  if (isNewDevice)
    await notifyAccountOwner(db, ctx, { userId: user.id, companyId, space }, buildNewDeviceNotice(request), request)
  ctx.note({
    companyId,
    actor: { userId: user.id, email: user.email },
    target,
    detail: { userAgent: getUserAgent(request), ...(sso && { connectionId: sso.id }) },
  })
  return { success: true as const, ...tokens, user: current }
}

const hasSignedIn = async (db: Db, userId: string): Promise<boolean> =>
  (await db.$count(signIns, and(eq(signIns.userId, userId), isNotNull(signIns.at)))) > 0

/**
 * A session closed at night is forgotten; the sign-ins of the last 90 days in the audit log are not. It is asked company by
 * company, the one that opens first: the machines of the others may be away.
 */
async function isKnownDevice({ db, aside, request }: RouteContext<undefined>, userId: string, home: number) {
  const userAgent = getUserAgent(request)
  const here = and(eq(sessions.userId, userId), eq(sessions.ip, request.ip), eq(sessions.userAgent, userAgent))
  if (await db.$count(sessions, here)) return true
  const places = await db.select().from(memberships).where(eq(memberships.userId, userId))
  const others = places.map(({ companyId }) => companyId).filter((id) => id !== home)
  const isKnownTo = async (at: Db, companyId: number) => {
    const { rowCount } = await at.execute(sql`
      select 1 from audit_entries
       where company_id = ${companyId} and at > now() - interval '90 days' and user_id = ${userId}
         and outcome = 'done' and ip = ${request.ip} and detail->>'userAgent' = ${userAgent} limit 1`)
    return rowCount === 1
  }
  if (await isKnownTo(db, home)) return true
  for (const companyId of others) if (await catchUnavailable(isKnownTo(aside, companyId), false)) return true
  return false
}
