import { narrowPermissions, permissions } from '@voisol/contract/permissions'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companies, ssoConnections } from '../../../db/schema/index.ts'
import { type Actor, NO_SESSION } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getClientNetwork } from '../../../http/network.ts'
import { getRequestOrigin } from '../../../http/origin.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import { SCIM_TYPE, ScimError } from './scim-errors.ts'
import type { ScimDirectory } from './scim-users.ts'

const TOKEN_PATTERN = /^Bearer (vsl_scim_(\d{1,9})_[\w-]{43})$/i
const MAX_WRONG_TOKENS = 60
const TOKEN_WINDOW_SECONDS = 15 * 60

/** All that its company could do to people: what it may is said by the calls that there are. */
const buildDirectoryActor = (companyId: number, name: string, keepsSite: boolean): Actor => ({
  kind: 'job',
  companyId,
  userId: NO_SESSION,
  sessionId: NO_SESSION,
  email: `annuaire «\u00a0${name}\u00a0»`,
  firstName: 'Annuaire',
  lastName: name,
  space: 'office',
  permissions: narrowPermissions(permissions, { limited: false, site: keepsSite }),
  operationIds: null,
  keepsSite,
})

/** The directory whose token this is. A connection that is switched off keeps its directory: who leaves is still shut out. */
export async function authenticateDirectory(request: FastifyRequest): Promise<ScimDirectory> {
  const { db, aside, config } = request.server.deps
  const key = `scim token ${getClientNetwork(request.ip)}`
  await throttle(aside, key, MAX_WRONG_TOKENS, TOKEN_WINDOW_SECONDS)
  const [, token = '', company = '0'] = TOKEN_PATTERN.exec(request.headers.authorization ?? '') ?? []
  const [row] = await db
    .select({ connection: ssoConnections, keepsSite: companies.keepsSite })
    .from(ssoConnections)
    .innerJoin(companies, eq(companies.id, ssoConnections.companyId))
    .where(and(eq(ssoConnections.companyId, Number(company)), eq(ssoConnections.scimHash, sha256(token))))
  if (!row) throw new ScimError(401, 'Le jeton de l’annuaire manque, ou n’est plus celui de la connexion.')
  await refundAttempts(aside, key)
  const { connection, keepsSite } = row
  await db
    .update(ssoConnections)
    .set({ scimUsedAt: new Date() })
    .where(
      and(
        eq(ssoConnections.companyId, connection.companyId),
        eq(ssoConnections.id, connection.id),
        or(isNull(ssoConnections.scimUsedAt), lt(ssoConnections.scimUsedAt, sql`now() - interval '1 minute'`)),
      ),
    )
  const actor = buildDirectoryActor(connection.companyId, connection.name, keepsSite)
  return { connection, actor, origin: getRequestOrigin(request, config.PUBLIC_URL) }
}

type AuditNote = { target: string; detail: Record<string, unknown> }

/** The change and its entry in the journal are kept together or not at all. */
export async function runAuditedScimChange<T>(
  request: FastifyRequest,
  { label, path }: { label: string; path: string },
  work: (tx: Db, directory: ScimDirectory) => Promise<T>,
  toAuditNote: (made: T) => AuditNote,
): Promise<T> {
  const directory = await authenticateDirectory(request)
  const { db, secrets } = request.server.deps
  const { companyId, id: connectionId } = directory.connection
  return transaction(scopeToCompany(db, companyId), async (tx) => {
    const made = await work(tx, directory)
    const { target, detail } = toAuditNote(made)
    await appendAudit(tx, secrets, {
      companyId,
      userId: null,
      actor: directory.actor.email,
      action: `${request.method} ${path}`,
      label,
      target,
      outcome: 'done',
      detail: { connectionId, ...detail },
      requestId: request.id,
      ip: request.ip,
    })
    return made
  })
}

export const getScimId = (request: FastifyRequest) => (request.params as { id: string }).id // it stands in the address
export const sendScim = (reply: FastifyReply, value: unknown, status = 200) =>
  reply.code(status).type(SCIM_TYPE).send(JSON.stringify(value))
