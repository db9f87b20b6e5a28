import { narrowed, permissions } from '@voisol/contract/permissions'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { companies, ssoConnections } from '../../../db/schema/index.ts'
import { type Actor, NO_SESSION } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { networkOf } from '../../../http/network.ts'
import { originOf } from '../../../http/origin.ts'
import { forgive, throttle } from '../../../http/throttle.ts'
import { sha256 } from '../../../secrets.ts'
import { SCIM_TYPE, ScimError, sendScimError } from './scim-errors.ts'
import { readPatch, readResource } from './scim-read.ts'
import { listOf, resourceTypes, schemas, serviceProviderConfig } from './scim-schemas.ts'
import { addPerson, changePerson, type Directory, getPerson, listPeople } from './scim-users.ts'

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
async function directoryOf(request: FastifyRequest): Promise<Directory> {
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
        sql`coalesce(${ssoConnections.scimUsedAt} < now() - interval '1 minute', true)`,
      ),
    )
  const actor = actorOf(connection.companyId, connection.name, keepsSite)
  return { connection, actor, origin: originOf(request, config.PUBLIC_URL) }
}

type Person = Awaited<ReturnType<typeof getPerson>>
type Write = (tx: Db, directory: Directory) => Promise<Person>

/** The change and its entry in the journal are kept together or not at all. */
async function write(request: FastifyRequest, label: string, work: Write): Promise<Person> {
  const directory = await directoryOf(request)
  const { db, secrets } = request.server.deps
  const { companyId, id: connectionId } = directory.connection
  return transaction(forCompany(db, companyId), async (tx) => {
    const person = await work(tx, directory)
    await appendAudit(tx, secrets, {
      companyId,
      userId: null,
      actor: directory.actor.email,
      action: `${request.method} /scim/v2/Users`,
      label,
      target: person.userName,
      outcome: 'done',
      detail: { connectionId, active: person.active, externalId: person.externalId ?? null },
      requestId: request.id,
      ip: request.ip,
    })
    return person
  })
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id // it stands in the address
const send = (reply: FastifyReply, value: unknown, status = 200) =>
  reply.code(status).type(SCIM_TYPE).send(JSON.stringify(value))

/** SCIM 2.0 (RFC 7643 and 7644), as directories call it: its words, its types and its errors are not this product's API. */
export function registerScim(app: FastifyInstance) {
  app.register(async (scim) => {
    scim.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Error) || !('status' in error)) request.log.warn({ err: error }, 'scim')
      return sendScimError(reply, error)
    })
    scim.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body, done) =>
      app.getDefaultJsonParser('ignore', 'ignore')(request, String(body), done),
    )
    describeRoutes(scim)
    readRoutes(scim)
    writeRoutes(scim)
  })
}

function describeRoutes(scim: FastifyInstance) {
  const { config } = scim.deps
  const here = (request: FastifyRequest) => originOf(request, config.PUBLIC_URL)
  scim.get('/scim/v2/ServiceProviderConfig', (request, reply) => send(reply, serviceProviderConfig(here(request))))
  scim.get('/scim/v2/ResourceTypes', (request, reply) => send(reply, listOf(resourceTypes(here(request)))))
  scim.get('/scim/v2/Schemas', (request, reply) => send(reply, listOf(schemas(here(request)))))
}

function readRoutes(scim: FastifyInstance) {
  const { db } = scim.deps
  scim.get('/scim/v2/Users', async (request, reply) => {
    const query = request.query as Record<string, string | undefined> // what is twice there is no filter
    return send(reply, await listPeople(db, await directoryOf(request), query))
  })
  scim.get('/scim/v2/Users/:id', async (request, reply) =>
    send(reply, await getPerson(db, await directoryOf(request), idOf(request))),
  )
}

function writeRoutes(scim: FastifyInstance) {
  scim.post('/scim/v2/Users', async (request, reply) => {
    const made = await write(request, 'Ajouter une personne (annuaire)', (tx, directory) =>
      addPerson(tx, directory, readResource(request.body)),
    )
    return send(reply.header('location', made.meta.location), made, 201)
  })
  scim.put('/scim/v2/Users/:id', async (request, reply) =>
    send(
      reply,
      await write(request, 'Remplacer une personne (annuaire)', (tx, directory) =>
        changePerson(tx, directory, idOf(request), readResource(request.body)),
      ),
    ),
  )
  scim.patch('/scim/v2/Users/:id', async (request, reply) =>
    send(
      reply,
      await write(request, 'Modifier une personne (annuaire)', (tx, directory) =>
        changePerson(tx, directory, idOf(request), readPatch(request.body)),
      ),
    ),
  )
  scim.delete('/scim/v2/Users/:id', async (request, reply) => {
    await write(request, 'Désactiver une personne (annuaire)', (tx, directory) =>
      changePerson(tx, directory, idOf(request), { active: false }),
    )
    return reply.code(204).send()
  })
}
