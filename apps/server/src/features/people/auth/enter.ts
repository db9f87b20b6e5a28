import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import type { Context } from '../../../http/route.ts'
import type { Account } from './accounts.ts'
import { currentUser } from './current-user.ts'
import { userAgentOf } from './device.ts'
import { rememberDevice } from './known-device.ts'
import { newDevice, tellOwner } from './notices.ts'
import { openSession } from './sessions.ts'

/** What the journal names, and the company's connection that vouched for the person, where one did. */
type Entrance = { target?: string; sso?: { id: string } }

/** Opens the session and gives what the browser keeps; a device not seen before is announced to its owner. */
export async function enter(
  ctx: Context<undefined>,
  user: Account,
  companyId: number,
  { target = user.email, sso }: Entrance = {},
) {
  const { db, request } = ctx
  const fresh = user.lastSignInAt !== null && !(await isKnownDevice(db, user.id, request))
  const tokens = await openSession(db, request, user.id, companyId, sso?.id)
  rememberDevice(ctx, user)
  const current = await currentUser(db, user.id, companyId, { bySso: sso !== undefined })
  const { space } = current
  if (fresh) await tellOwner(db, ctx, { userId: user.id, companyId, space }, newDevice(request), request)
  ctx.note({
    companyId,
    actor: { userId: user.id, email: user.email },
    target,
    detail: { userAgent: userAgentOf(request), ...(sso && { connectionId: sso.id }) },
  })
  return { success: true as const, ...tokens, user: current }
}

/** A session closed at night is forgotten; the sign-ins of the last 90 days in the audit log are not. */
async function isKnownDevice(db: Db, userId: string, request: FastifyRequest): Promise<boolean> {
  const userAgent = userAgentOf(request)
  return (
    (await any(
      db,
      sql`select 1 from sessions where user_id = ${userId} and ip = ${request.ip} and user_agent = ${userAgent}`,
    )) ||
    any(
      db,
      sql`select 1 from audit_entries
           where company_id in (select company_id from memberships where user_id = ${userId})
             and at > now() - interval '90 days' and user_id = ${userId} and outcome = 'done'
             and ip = ${request.ip} and detail->>'userAgent' = ${userAgent}`,
    )
  )
}

const any = async (db: Db, query: SQL) => (await db.execute(sql`${query} limit 1`)).rows.length > 0
