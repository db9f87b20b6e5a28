import type { CurrentUser } from '@voisol/contract/auth'
import type { FastifyRequest } from 'fastify'
import { SITE_COMPANY } from '../core/site-company.ts'
import { type Db, prepared } from '../db/client.ts'
import { sha256 } from '../secrets.ts'
import { AppError } from './errors.ts'

/** The person behind a request and the company the session is on. */
export type Actor = Pick<CurrentUser, 'companyId' | 'isAdmin' | 'email' | 'firstName' | 'lastName'> & {
  userId: string
  sessionId: string
  /** The same person as the browser is told of them. */
  user: CurrentUser
}

export const INACTIVITY_HOURS = 24

/** A person in one of their companies; both readers of it join users u, memberships m and companies c. */
export const PERSON = `
  u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.version,
  u.totp_enabled_at is not null as "secondFactor", m.is_admin as "isAdmin",
  c.id as "companyId", c.name as "companyName", c.trial_ends_at as "trialEndsAt",
  (select json_agg(json_build_object('id', oc.id, 'name', oc.name) order by oc.name)
     from memberships om join companies oc on oc.id = om.company_id
    where om.user_id = u.id and om.accepted_at is not null and om.disabled_at is null) as companies`
export type PersonRow = Omit<CurrentUser, 'role' | 'keepsSite' | 'trialEndsAt'> & { trialEndsAt: Date | null }
export const toCurrentUser = (row: PersonRow): CurrentUser => ({
  ...row,
  role: row.isAdmin ? 'admin' : 'client',
  keepsSite: row.isAdmin && row.companyId === SITE_COMPANY,
  trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
})

/** Opaque tokens: one look at the database decides, so that a revocation holds at the very next request. */
const LOOKUP = `
  select ${PERSON}, s.id as "sessionId",
         s.last_seen_at < now() - interval '1 minute' as "stale",
         s.last_seen_at < now() - interval '${INACTIVITY_HOURS} hours'
           or coalesce(s.token_expires_at < now(), false) as "expired"
    from sessions s
    join users u on u.id = s.user_id
    join memberships m on m.user_id = s.user_id and m.company_id = s.company_id
    join companies c on c.id = m.company_id
   where s.token_hash = $1 and m.disabled_at is null and m.accepted_at is not null`
type SessionRow = PersonRow & { sessionId: string; stale: boolean; expired: boolean }

const bearer = (request: FastifyRequest) => /^Bearer (\S{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]

export const tokenOf = (request: FastifyRequest) => bearer(request) ?? request.cookies.token
export const sentByCookie = (request: FastifyRequest) => !bearer(request) && Boolean(request.cookies.token)

export async function findActor(db: Db, token: string): Promise<Actor> {
  const { rows } = await prepared<SessionRow>(db, 'session', LOOKUP, [sha256(token)])
  const row = rows[0]
  if (!row) throw new AppError('unauthenticated')
  const { sessionId, stale, expired, ...person } = row
  if (expired) throw new AppError('session-expired')
  if (stale) await prepared(db, 'seen', 'update sessions set last_seen_at = now() where id = $1', [sessionId])
  const { id: userId, companyId, isAdmin, email, firstName, lastName } = person
  return { sessionId, userId, companyId, isAdmin, email, firstName, lastName, user: toCurrentUser(person) }
}
