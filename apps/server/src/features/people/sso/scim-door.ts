import { narrowed, permissions } from '@voisol/contract/permissions'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { companies, ssoConnections } from '../../../db/schema/index.ts'
import { type Actor, NO_SESSION } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { networkOf } from '../../../http/network.ts'
import { originOf } from '../../../http/origin.ts'
import { forgive, throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import { SCIM_TYPE, ScimError } from './scim-errors.ts'
import type { Directory } from './scim-users.ts'

const TOKEN = /^Bearer (vsl_scim_(\d{1,9})_[\w-]{43})$/i
const WRONG = 60
const WINDOW = 15 * 60

/** All that its company could do to people: what it may is said by the calls that there are. */
const actorOf = (companyId: number, name: string, keepsSite: boolean): Actor => ({
  kind: 'job',
  companyId,
  userId: NO_SESSION,
  sessionId: NO_SESSION,
  email: `annuaire «\u00a0${name}\u00a0»`,
  firstName: 'Annuaire',
  lastName: name,
  space: 'office',
  permissions: narrowed(permissions, { limited: false, site: keepsSite }),
  operationIds: null,
  keepsSite,
})

/** The directory whose token this is. A connection that is switched off keeps its directory: who leaves is still shut out. */
export async function directoryOf(request: FastifyRequest): Promise<Directory> {
  const { db, aside, config } = request.server.deps
  const key = `scim token ${networkOf(request.ip)}`
  await throttle(aside, key, WRONG, WINDOW)
  const [, token = '', company = '0'] = TOKEN.exec(request.headers.authorization ?? '') ?? []
  const [row] = await db
    .select({ connection: ssoConnections, keepsSite: companies.keepsSite })
    .from(ssoConnections)
    .innerJoin(companies, eq(companies.id, ssoConnections.companyId))
    .where(and(eq(ssoConnections.companyId, Number(company)), eq(ssoConnections.scimHash, sha256(token))))
  if (!row) throw new ScimError(401, 'Le jeton de l’annuaire manque, ou n’est plus celui de la connexion.')
  await forgive(aside, key)
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
  const actor = actorOf(connection.companyId, connection.name, keepsSite)
  return { connection, actor, origin: originOf(request, config.PUBLIC_URL) }
}

type Told = { target: string; detail: Record<string, unknown> }

/** The change and its entry in the journal are kept together or not at all. */
export async function kept<T>(
  request: FastifyRequest,
  { label, path }: { label: string; path: string },
  work: (tx: Db, directory: Directory) => Promise<T>,
  tell: (made: T) => Told,
): Promise<T> {
  const directory = await directoryOf(request)
  const { db, secrets } = request.server.deps
  const { companyId, id: connectionId } = directory.connection
  return transaction(forCompany(db, companyId), async (tx) => {
    const made = await work(tx, directory)
    const { target, detail } = tell(made)
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

export const idOf = (request: FastifyRequest) => (request.params as { id: string }).id // it stands in the address
export const send = (reply: FastifyReply, value: unknown, status = 200) =>
  reply.code(status).type(SCIM_TYPE).send(JSON.stringify(value))
