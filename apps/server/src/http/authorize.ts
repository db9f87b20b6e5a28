import { type Access, grantsAccess } from '@voisol/contract/access'
import type { Endpoint } from '@voisol/contract/endpoint'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/client.ts'
import { type Actor, isPersonActor } from './actor.ts'
import { authenticateApiKey, isApiKeyToken } from './api-key.ts'
import { AppError } from './errors.ts'
import { resolveImpersonation } from './impersonation.ts'
import { authenticateSession, getAuthToken, isSentByCookie } from './session.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Browsers send the origin of a call; calls from other sites may change nothing (CSRF). */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string | undefined) {
  if (SAFE_METHODS.has(request.method)) return
  const { origin } = request.headers
  if (origin !== undefined) {
    const host = URL.canParse(origin) ? new URL(origin).host : ''
    const own = [request.host, publicUrl && new URL(publicUrl).host]
    if (!own.includes(host)) throw new AppError('foreign-origin')
  } else if (isSentByCookie(request) && request.headers['sec-fetch-site'] === 'cross-site') {
    throw new AppError('foreign-origin')
  }
}

async function authenticate(db: Db, token: string, request: FastifyRequest): Promise<Actor> {
  if (isApiKeyToken(token)) return authenticateApiKey(db, token, request)
  const actor = await authenticateSession(db, token)
  request.caller = { companyId: actor.companyId, kind: 'person', who: actor.userId }
  return actor
}

/** The declared access is required of persons, keys and jobs in the same way. */
export function requireAccess(actor: Actor, access: Access) {
  if (!grantsAccess(access, actor)) throw new AppError('forbidden')
}

/** A person who must first secure their account gets nothing else; keys and jobs are exempt. */
export function requireAccountSecured(actor: Actor | undefined, { anyway }: Endpoint) {
  if (anyway || !actor || !isPersonActor(actor) || !actor.user.duty) return
  throw new AppError(`${actor.user.duty}-due`)
}

/** Calls that change a company: neither personal data nor endpoints marked `lapsed`. */
export const isBlockedWhenLapsed = ({ method, audit, access, lapsed }: Endpoint) =>
  !SAFE_METHODS.has(method) && audit !== 'none' && access !== 'public' && access !== 'signed-in' && !lapsed

/** After the trial or subscription has ended, everything can be read and only calls that resolve this may write. */
export function requireActiveSubscription(actor: Actor | undefined, e: Endpoint) {
  if (actor?.readOnly && isBlockedWhenLapsed(e)) throw new AppError('read-only')
}

/** A block hidden by the company does not exist for its participants, whoever calls; the back office still has it. */
export async function requirePortalBlockVisible(db: Db, actor: Actor | undefined, { block }: Endpoint) {
  if (!block || actor?.space !== 'portal') return
  const hidden = JSON.stringify([{ key: block, shown: false }])
  const { rows } = await db.execute(sql`
    select 1 from portal_settings where company_id = ${actor.companyId} and blocks @> ${hidden}::jsonb`)
  if (rows.length) throw new AppError('not-found')
}

/** A spreadsheet that reads a URL cannot send headers: where a personal token is accepted, it may be in the query. */
function findKeyInQuery({ method, query }: FastifyRequest, access: Access): string | undefined {
  if (method !== 'GET' || typeof access !== 'object' || !access.token) return undefined
  const key = typeof query === 'object' && query && 'key' in query ? query.key : undefined
  return typeof key === 'string' && isApiKeyToken(key) ? key : undefined
}

export async function authorizeRequest(db: Db, request: FastifyRequest, access: Access): Promise<Actor | undefined> {
  if (access === 'public') return undefined
  const token = getAuthToken(request) ?? findKeyInQuery(request, access)
  if (!token) throw new AppError('unauthenticated')
  const actor = await resolveImpersonation(db, request, await authenticate(db, token, request), access)
  requireAccess(actor, access)
  return actor
}
