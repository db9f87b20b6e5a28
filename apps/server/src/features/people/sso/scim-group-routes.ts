import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authenticateDirectory, getScimId, runAuditedScimChange, sendScim } from './scim-door.ts'
import { addScimGroup, changeScimGroup, listScimGroups, loadScimGroup, removeScimGroup } from './scim-groups.ts'
import { parseScimQuery } from './scim-read.ts'
import { parseScimGroup, parseScimGroupPatch } from './scim-read-group.ts'

type GroupWork = Parameters<typeof runAuditedScimChange<Awaited<ReturnType<typeof loadScimGroup>>>>[2]
const runGroupChange = (request: FastifyRequest, label: string, work: GroupWork) =>
  runAuditedScimChange(request, { label, path: '/scim/v2/Groups' }, work, ({ displayName, members, externalId }) => ({
    target: displayName,
    detail: { members: members?.length ?? 0, externalId: externalId ?? null },
  }))

/** The groups of a directory: who is in one that a rule of the connection names has its role. */
export function scimGroupRoutes(scim: FastifyInstance) {
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
