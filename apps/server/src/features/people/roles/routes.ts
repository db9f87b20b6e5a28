import { type Role, roles } from '@voisol/contract/roles'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { createRole, listRoles, removeRole, updateRole } from './roles.ts'

const facts = ({ name, permissions }: Role) => ({ name, permissions })

export function roleRoutes(app: FastifyInstance) {
  route(app, roles.list, async (_, { db, actor }) => ({ items: await listRoles(db, actor) }))

  route(app, roles.create, async ({ body }, { db, actor, note }) => {
    const after = await createRole(db, actor, body)
    note({ target: after.name, detail: { after: facts(after) } })
    return after
  })

  route(app, roles.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateRole(db, actor, params.id, body)
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })

  route(app, roles.remove, async ({ params }, { db, actor, note }) => {
    const before = await removeRole(db, actor, params.id)
    note({ target: before.name, detail: { before: facts(before) } })
    return { success: true as const }
  })
}
