import { narrowPermissions, permissions } from '@voisol/contract/permissions'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companies, ssoConnections } from '../../../db/schema/index.ts'
import { type Actor, NO_SESSION } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { getClientNetwork, getRequestOrigin } from '../../../http/client-address.ts'
import { AppError } from '../../../http/errors.ts'
import { rejectNullCharacters } from '../../../http/request-bodies.ts'
import { refundAttempts, throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import {
  addScimGroup,
  changeScimGroup,
  listScimGroups,
  loadScimGroup,
  parseScimGroup,
  parseScimGroupPatch,
  removeScimGroup,
} from './groups.ts'
import {
  buildScimResourceTypes,
  buildScimSchemas,
  buildServiceProviderConfig,
  parseScimQuery,
  parseScimUser,
  parseScimUserPatch,
  SCIM_TYPE,
  ScimError,
  sendScimError,
  toScimListResponse,
} from './protocol.ts'
import { addScimUser, changeScimUser, listScimUsers, loadScimUser, type ScimDirectory } from './users.ts'

type Person = Awaited<ReturnType<typeof loadScimUser>>
type UserWork = (tx: Db, directory: ScimDirectory) => Promise<Person>

const runUserChange = (request: FastifyRequest, label: string, work: UserWork): Promise<Person> =>
  runAuditedScimChange(request, { label, path: '/scim/v2/Users' }, work, ({ userName, active, externalId }) => ({
    target: userName,
    detail: { active, externalId: externalId ?? null },
  }))

/** SCIM 2.0 (RFC 7643 and 7644), as directories call it: its words, its types and its errors are not this product's API. */
export function scimRoutes(app: FastifyInstance) {
  app.register(async (scim) => {
    scim.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Error) || !('status' in error)) request.log.warn({ err: error }, 'scim')
      return sendScimError(reply, error)
    })
    registerScimBodies(scim)
    describeRoutes(scim)
    readRoutes(scim)
    writeRoutes(scim)
    scimGroupRoutes(scim)
  })
}

/** Directories say a content type with calls that carry nothing too, a removal above all. */
function registerScimBodies(scim: FastifyInstance) {
  const parse = scim.getDefaultJsonParser('ignore', 'ignore')
  scim.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body: string, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, rejectNullCharacters(body, done)),
  )
  scim.addContentTypeParser('*', { parseAs: 'string' }, (_, body: string, done) =>
    done(body.trim() === '' ? null : new AppError('media-type'), undefined),
  )
}

function describeRoutes(scim: FastifyInstance) {
  const { config } = scim.deps
  const getOrigin = (request: FastifyRequest) => getRequestOrigin(request, config.PUBLIC_URL)
  scim.get('/scim/v2/ServiceProviderConfig', (request, reply) =>
    sendScim(reply, buildServiceProviderConfig(getOrigin(request))),
  )
  scim.get('/scim/v2/ResourceTypes', (request, reply) =>
    sendScim(reply, toScimListResponse(buildScimResourceTypes(getOrigin(request)))),
  )
  scim.get('/scim/v2/Schemas', (request, reply) =>
    sendScim(reply, toScimListResponse(buildScimSchemas(getOrigin(request)))),
  )
}

function readRoutes(scim: FastifyInstance) {
  const { db } = scim.deps
  scim.get('/scim/v2/Users', async (request, reply) => {
    const directory = await authenticateDirectory(request)
    return sendScim(reply, await listScimUsers(db, directory, parseScimQuery(request.query)))
  })
  scim.get('/scim/v2/Users/:id', async (request, reply) =>
    sendScim(reply, await loadScimUser(db, await authenticateDirectory(request), getScimId(request))),
  )
}

function writeRoutes(scim: FastifyInstance) {
  scim.post('/scim/v2/Users', async (request, reply) => {
    const made = await runUserChange(request, 'Ajouter une personne (annuaire)', (tx, directory) =>
      addScimUser(tx, directory, parseScimUser(request.body)),
    )
    return sendScim(reply.header('location', made.meta.location), made, 201)
  })
  scim.put('/scim/v2/Users/:id', async (request, reply) =>
    sendScim(
      reply,
      await runUserChange(request, 'Remplacer une personne (annuaire)', (tx, directory) =>
        changeScimUser(tx, directory, getScimId(request), parseScimUser(request.body)),
      ),
    ),
  )
  scim.patch('/scim/v2/Users/:id', async (request, reply) =>
    sendScim(
      reply,
      await runUserChange(request, 'Modifier une personne (annuaire)', (tx, directory) =>
        changeScimUser(tx, directory, getScimId(request), parseScimUserPatch(request.body)),
      ),
    ),
  )
  scim.delete('/scim/v2/Users/:id', async (request, reply) => {
    await runUserChange(request, 'Désactiver une personne (annuaire)', (tx, directory) =>
      changeScimUser(tx, directory, getScimId(request), { active: false }),
    )
    return reply.code(204).send()
  })
}

type GroupWork = Parameters<typeof runAuditedScimChange<Awaited<ReturnType<typeof loadScimGroup>>>>[2]
const runGroupChange = (request: FastifyRequest, label: string, work: GroupWork) =>
  runAuditedScimChange(request, { label, path: '/scim/v2/Groups' }, work, ({ displayName, members, externalId }) => ({
    target: displayName,
    detail: { members: members?.length ?? 0, externalId: externalId ?? null },
  }))

/** The groups of a directory: who is in one that a rule of the connection names has its role. */
function scimGroupRoutes(scim: FastifyInstance) {
  const { db } = scim.deps
  scim.get('/scim/v2/Groups', async (request, reply) =>
    sendScim(reply, await listScimGroups(db, await authenticateDirectory(request), parseScimQuery(request.query))),
  )
  scim.get('/scim/v2/Groups/:id', async (request, reply) =>
    sendScim(
      reply,
      await loadScimGroup(db, await authenticateDirectory(request), getScimId(request), parseScimQuery(request.query)),
    ),
  )
  scim.post('/scim/v2/Groups', async (request, reply) => {
    const made = await runGroupChange(request, 'Ajouter un groupe (annuaire)', (tx, directory) =>
      addScimGroup(tx, directory, parseScimGroup(request.body)),
    )
    return sendScim(reply.header('location', made.meta.location), made, 201)
  })
  scim.put('/scim/v2/Groups/:id', async (request, reply) => {
    const made = await runGroupChange(request, 'Remplacer un groupe (annuaire)', (tx, directory) =>
      changeScimGroup(tx, directory, getScimId(request), parseScimGroup(request.body)),
    )
    return sendScim(reply, made)
  })
  scim.patch('/scim/v2/Groups/:id', async (request, reply) => {
    const made = await runGroupChange(request, 'Modifier un groupe (annuaire)', (tx, directory) =>
      changeScimGroup(tx, directory, getScimId(request), parseScimGroupPatch(request.body)),
    )
    return sendScim(reply, made)
  })
  scim.delete('/scim/v2/Groups/:id', async (request, reply) => {
    await runGroupChange(request, 'Supprimer un groupe (annuaire)', (tx, directory) =>
      removeScimGroup(tx, directory, getScimId(request)),
    )
    return reply.code(204).send()
  })
}

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
async function authenticateDirectory(request: FastifyRequest): Promise<ScimDirectory> {
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
async function runAuditedScimChange<T>(
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

const getScimId = (request: FastifyRequest) => (request.params as { id: string }).id // it stands in the address
const sendScim = (reply: FastifyReply, value: unknown, status = 200) =>
  reply.code(status).type(SCIM_TYPE).send(JSON.stringify(value))
