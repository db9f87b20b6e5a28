import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { rejectNullCharacters } from '../../../http/bodies.ts'
import { AppError } from '../../../http/errors.ts'
import { getRequestOrigin } from '../../../http/origin.ts'
import { authenticateDirectory, getScimId, runAuditedScimChange, sendScim } from './scim-door.ts'
import { sendScimError } from './scim-errors.ts'
import { scimGroupRoutes } from './scim-group-routes.ts'
import { parseScimQuery, parseScimUser, parseScimUserPatch } from './scim-read.ts'
import {
  buildScimResourceTypes,
  buildScimSchemas,
  buildServiceProviderConfig,
  toScimListResponse,
} from './scim-schemas.ts'
import { addScimUser, changeScimUser, listScimUsers, loadScimUser, type ScimDirectory } from './scim-users.ts'

type Person = Awaited<ReturnType<typeof loadScimUser>>
type UserWork = (tx: Db, directory: ScimDirectory) => Promise<Person>

const runUserChange = (request: FastifyRequest, label: string, work: UserWork): Promise<Person> =>
  runAuditedScimChange(request, { label, path: '/scim/v2/Users' }, work, ({ userName, active, externalId }) => ({
    target: userName,
    detail: { active, externalId: externalId ?? null },
  }))

/** SCIM 2.0 (RFC 7643 and 7644), as directories call it: its words, its types and its errors are not this product's API. */
export function registerScimRoutes(app: FastifyInstance) {
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
