import type { FastifyRequest } from 'fastify'
import { type Db, prepared } from '../db/client.ts'
import { skipWhenReadOnly } from '../db/read-only.ts'
import { sha256 } from '../secrets.ts'
import { type Opening, PERSON, type Person, type PersonRow, toCurrentUser, toPerson } from './actor.ts'
import { AppError } from './errors.ts'
import { type Found, LIVES_HERE, withHome } from './home.ts'

export const INACTIVITY_HOURS = 24
/** Since the sign-in: whatever is renewed, a person proves who they are once a month. */
export const LONGEST_DAYS = 30

/** What a session `s` no longer is, once it has rested or lasted too long. */
export const OVER = `(s.last_seen_at < now() - interval '${INACTIVITY_HOURS} hours'
  or s.created_at < now() - interval '${LONGEST_DAYS} days')`

/** Opaque tokens: one look at the database decides, so that a revocation holds at the very next request. */
const lookup = (home: string) => `
  select ${PERSON}${home}, s.id as "sessionId", s.space as "chosen",
         s.opened_with as "openedWith", s.opened_for as "openedFor",
         s.last_seen_at < now() - interval '1 minute' as "stale",
         ${OVER} or coalesce(s.token_expires_at < now(), false) as "expired"
    from sessions s
    join users u on u.id = s.user_id
    join memberships m on m.user_id = s.user_id and m.company_id = s.company_id
    join companies c on c.id = m.company_id
   where s.token_hash = $1 and m.disabled_at is null and m.accepted_at is not null`
const TOGETHER = lookup(`,${LIVES_HERE}`)
const SPREAD = lookup('')
type SessionRow = Found<PersonRow> &
  Opening & {
    livesThere?: boolean
    sessionId: string
    chosen: string | null
    stale: boolean
    expired: boolean
  }

const bearer = (request: FastifyRequest) => /^Bearer (\S{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]

export const tokenOf = (request: FastifyRequest) => bearer(request) ?? request.cookies.token
export const sentByCookie = (request: FastifyRequest) => !bearer(request) && Boolean(request.cookies.token)

export async function findActor(db: Db, token: string): Promise<Person> {
  const [name, text] = db.$jobs.spread ? ['session-spread', SPREAD] : ['session', TOGETHER]
  const { rows } = await prepared<SessionRow>(db, name, text, [sha256(token)])
  const row = rows[0]
  if (!row) throw new AppError('unauthenticated')
  const { sessionId, chosen, stale, expired, livesThere, openedWith, openedFor, ...found } = row
  if (expired) throw new AppError('session-expired')
  if (stale)
    await skipWhenReadOnly(prepared(db, 'seen', 'update sessions set last_seen_at = now() where id = $1', [sessionId]))
  const person = livesThere === undefined ? await withHome(db, found) : { ...found, livesThere }
  const user = toCurrentUser({ ...person, bySso: openedWith === 'sso' }, chosen)
  return toPerson(user, { sessionId, keepsSite: person.keepsSite, openedWith, openedFor })
}
