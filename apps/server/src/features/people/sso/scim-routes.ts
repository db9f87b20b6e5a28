import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../../db/client.ts'
import { refusingNull } from '../../../http/bodies.ts'
import { AppError } from '../../../http/errors.ts'
import { originOf } from '../../../http/origin.ts'
import { directoryOf, idOf, kept, send } from './scim-door.ts'
import { sendScimError } from './scim-errors.ts'
import { groupRoutes } from './scim-group-routes.ts'
import { readPatch, readQuery, readResource } from './scim-read.ts'
import { listOf, resourceTypes, schemas, serviceProviderConfig } from './scim-schemas.ts'
import { addPerson, changePerson, type Directory, getPerson, listPeople } from './scim-users.ts'

type Person = Awaited<ReturnType<typeof getPerson>>
type Write = (tx: Db, directory: Directory) => Promise<Person>

const write = (request: FastifyRequest, label: string, work: Write): Promise<Person> =>
  kept(request, { label, path: '/scim/v2/Users' }, work, ({ userName, active, externalId }) => ({
    target: userName,
    detail: { active, externalId: externalId ?? null },
  }))

/** SCIM 2.0 (RFC 7643 and 7644), as directories call it: its words, its types and its errors are not this product's API. */
export function registerScim(app: FastifyInstance) {
  app.register(async (scim) => {
    scim.setErrorHandler((error, request, reply) => {
      if (!(error instanceof Error) || !('status' in error)) request.log.warn({ err: error }, 'scim')
      return sendScimError(reply, error)
    })
    registerScimBodies(scim)
    describeRoutes(scim)
    readRoutes(scim)
    writeRoutes(scim)
    groupRoutes(scim)
  })
}

/** Directories say a content type with calls that carry nothing too, a removal above all. */
function registerScimBodies(scim: FastifyInstance) {
  const parse = scim.getDefaultJsonParser('ignore', 'ignore')
  scim.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body: string, done) =>
    body.trim() === '' ? done(null, undefined) : parse(request, body, refusingNull(body, done)),
  )
  scim.addContentTypeParser('*', { parseAs: 'string' }, (_, body: string, done) =>
    done(body.trim() === '' ? null : new AppError('media-type'), undefined),
  )
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
    const directory = await directoryOf(request)
    return send(reply, await listPeople(db, directory, readQuery(request.query)))
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
