import { type Role, roles } from '@voisol/contract/roles'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { createRole, listRoles, removeRole, updateRole } from './roles.ts'

const pickAuditedFields = ({ name, permissions }: Role) => ({ name, permissions })

export function roleRoutes(app: FastifyInstance) {
  addRoute(app, roles.list, async (_, { db, actor }) => ({ items: await listRoles(db, actor) }))

  addRoute(app, roles.create, async ({ body }, { db, actor, note }) => {
    const after = await createRole(db, actor, body)
    note({ target: after.name, detail: { after: pickAuditedFields(after) } })
    return after
  })

  addRoute(app, roles.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateRole(db, actor, params.id, body)
    note({ target: after.name, detail: { before: pickAuditedFields(before), after: pickAuditedFields(after) } })
    return after
  })

  addRoute(app, roles.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeRole(db, actor, params.id)
    note({ target: before.name, detail: { before: pickAuditedFields(before) } })
    return { success: true as const }
  })
}
