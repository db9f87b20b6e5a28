import type { CurrentUser } from '@voisol/contract/auth'
import type { Space } from '@voisol/contract/permissions'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, queryPrepared } from '../../../db/client.ts'
import { catchUnavailable } from '../../../db/database-unavailable.ts'
import { memberships, sessions, signIns } from '../../../db/schema/index.ts'
import {
  addPortalAccess,
  type DirectoryPerson,
  PERSON_COLUMNS,
  type PersonRow,
  type SessionOpening,
  toCurrentUser,
} from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { RouteContext } from '../../../http/route.ts'
import { buildNewDeviceNotice, notifyAccountOwner } from './account-mails.ts'
import type { UserAccount } from './accounts.ts'
import { getUserAgent, rememberDevice } from './devices.ts'
import { openSession } from './sessions.ts'

const CURRENT_USER_QUERY = `
  select ${PERSON_COLUMNS}
    from users u
    join memberships m on m.user_id = u.id and m.company_id = $2
    join companies c on c.id = m.company_id
   where u.id = $1 and m.accepted_at is not null and m.disabled_at is null`

/** Loads the member again, so that changes made by the current call are included. */
export async function loadCurrentUser(
  db: Db,
  userId: string,
  companyId: number,
  { space = null, bySso = false }: { space?: Space | null; bySso?: boolean } = {},
): Promise<CurrentUser> {
  const { rows } = await queryPrepared<DirectoryPerson<PersonRow>>(db, 'current-user', CURRENT_USER_QUERY, [
    userId,
    companyId,
  ])
  if (!rows[0]) throw new AppError('not-found')
  return toCurrentUser({ ...(await addPortalAccess(db, rows[0])), bySso }, space)
}

/**
 * How the person authenticated, the object of the audit entry, and the SSO connection of the company, if one was used.
 */
type CompleteSignInInput = { openedWith: SessionOpening['openedWith']; target?: string; sso?: { id: string } }

/** Opens the session and sets the cookies; the owner is notified of a new device. */
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
 * Old sessions are deleted, but the audit log keeps the sign-ins of the last 90 days. Companies are read one by one,
 * the opened one first, because the Citus nodes of the others may be down.
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
