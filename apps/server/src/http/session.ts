import type { FastifyRequest } from 'fastify'
import { type Db, queryPrepared } from '../db/client.ts'
import { skipWhenReadOnly } from '../db/database-errors.ts'
import { sha256 } from '../secrets.ts'
import {
  addPortalAccess,
  type DirectoryPerson,
  HAS_PORTAL_COLUMN,
  PERSON_COLUMNS,
  type PersonActor,
  type PersonRow,
  type SessionOpening,
  toCurrentUser,
  toPersonActor,
} from './actor.ts'
import { AppError } from './errors.ts'

export const MAX_INACTIVITY_HOURS = 24
/** Since the sign-in: whatever is renewed, a person must sign in again once a month. */
export const MAX_SESSION_DAYS = 30

/** An access token, whether a sign-in or a refresh gave it. */
export const TOKEN_LIFETIME_SECONDS = 3600

/** A refresh stores when its token ends; that of the sign-in ends an hour after the session was opened. */
const IS_TOKEN_OVER = `coalesce(s.token_expires_at, s.created_at + interval '${TOKEN_LIFETIME_SECONDS} seconds') < now()`

/** Whether a session `s` has been inactive or has lasted too long. */
export const IS_SESSION_OVER = `(s.last_seen_at < now() - interval '${MAX_INACTIVITY_HOURS} hours'
  or s.created_at < now() - interval '${MAX_SESSION_DAYS} days')`

/** Opaque tokens checked in the database, so that a revocation applies from the next request. */
const buildSessionQuery = (home: string) => `
  select ${PERSON_COLUMNS}${home}, s.id as "sessionId", s.space as "chosen",
         s.opened_with as "openedWith", s.opened_for as "openedFor",
         s.last_seen_at < now() - interval '1 minute' as "stale",
         ${IS_SESSION_OVER} or ${IS_TOKEN_OVER} as "expired"
    from sessions s
    join users u on u.id = s.user_id
    join memberships m on m.user_id = s.user_id and m.company_id = s.company_id
    join companies c on c.id = m.company_id
   where s.token_hash = $1 and m.disabled_at is null and m.accepted_at is not null`
const SESSION_QUERY = buildSessionQuery(`,${HAS_PORTAL_COLUMN}`)
const DISTRIBUTED_SESSION_QUERY = buildSessionQuery('')
type SessionRow = DirectoryPerson<PersonRow> &
  SessionOpening & {
    livesThere?: boolean
    sessionId: string
    chosen: string | null
    stale: boolean
    expired: boolean
  }

const getBearerToken = (request: FastifyRequest) =>
  /^Bearer (\S{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]

export const getAuthToken = (request: FastifyRequest) => getBearerToken(request) ?? request.cookies.token
export const isSentByCookie = (request: FastifyRequest) => !getBearerToken(request) && Boolean(request.cookies.token)

export async function authenticateSession(db: Db, token: string): Promise<PersonActor> {
  const [name, text] = db.$jobs.spread ? ['session-spread', DISTRIBUTED_SESSION_QUERY] : ['session', SESSION_QUERY]
  const { rows } = await queryPrepared<SessionRow>(db, name, text, [sha256(token)])
  const row = rows[0]
  if (!row) throw new AppError('unauthenticated')
  const { sessionId, chosen, stale, expired, livesThere, openedWith, openedFor, ...found } = row
  if (expired) throw new AppError('session-expired')
  if (stale)
    await skipWhenReadOnly(
      queryPrepared(db, 'seen', 'update sessions set last_seen_at = now() where id = $1', [sessionId]),
    )
  const person = livesThere === undefined ? await addPortalAccess(db, found) : { ...found, livesThere }
  const user = toCurrentUser({ ...person, bySso: openedWith === 'sso' }, chosen)
  return toPersonActor(user, { sessionId, keepsSite: person.keepsSite, openedWith, openedFor })
}
