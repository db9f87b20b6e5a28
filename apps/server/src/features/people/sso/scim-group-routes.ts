import type { FastifyInstance, FastifyRequest } from 'fastify'
import { directoryOf, idOf, kept, send } from './scim-door.ts'
import { addGroup, changeGroup, getGroup, listGroups, removeGroup } from './scim-groups.ts'
import { readQuery } from './scim-read.ts'
import { readGroup, readGroupPatch } from './scim-read-group.ts'

type Work = Parameters<typeof kept<Awaited<ReturnType<typeof getGroup>>>>[2]
const write = (request: FastifyRequest, label: string, work: Work) =>
  kept(request, { label, path: '/scim/v2/Groups' }, work, ({ displayName, members, externalId }) => ({
    target: displayName,
    detail: { members: members?.length ?? 0, externalId: externalId ?? null },
  }))

/** The groups of a directory: who is in one that a rule of the connection names has its role. */
export function groupRoutes(scim: FastifyInstance) {
  const { db } = scim.deps
  scim.get('/scim/v2/Groups', async (request, reply) =>
    send(reply, await listGroups(db, await directoryOf(request), readQuery(request.query))),
  )
  scim.get('/scim/v2/Groups/:id', async (request, reply) =>
    send(reply, await getGroup(db, await directoryOf(request), idOf(request), readQuery(request.query))),
  )
  scim.post('/scim/v2/Groups', async (request, reply) => {
    const made = await write(request, 'Ajouter un groupe (annuaire)', (tx, directory) =>
      addGroup(tx, directory, readGroup(request.body)),
    )
    return send(reply.header('location', made.meta.location), made, 201)
  })
  scim.put('/scim/v2/Groups/:id', async (request, reply) => {
    const made = await write(request, 'Remplacer un groupe (annuaire)', (tx, directory) =>
      changeGroup(tx, directory, idOf(request), readGroup(request.body)),
    )
    return send(reply, made)
  })
  scim.patch('/scim/v2/Groups/:id', async (request, reply) => {
    const made = await write(request, 'Modifier un groupe (annuaire)', (tx, directory) =>
      changeGroup(tx, directory, idOf(request), readGroupPatch(request.body)),
    )
    return send(reply, made)
  })
  scim.delete('/scim/v2/Groups/:id', async (request, reply) => {
    await write(request, 'Supprimer un groupe (annuaire)', (tx, directory) => removeGroup(tx, directory, idOf(request)))
    return reply.code(204).send()
  })
}
