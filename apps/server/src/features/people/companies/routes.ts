import { type Company, companies } from '@voisol/contract/companies'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { contactOf, getCompany, requireSecondFactor, updateCompany } from './companies.ts'

export function companyRoutes(app: FastifyInstance) {
  route(app, companies.get, ({ params }, { db, actor }) => getCompany(db, actor, params.companyId))

  route(app, companies.contact, (_, { db, actor }) => contactOf(db, actor))

  route(app, companies.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateCompany(db, actor, params.companyId, body)
    note({ companyId: after.id, target: after.name, detail: { before, after } })
    return after
  })

  route(app, companies.requireSecondFactor, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await requireSecondFactor(db, actor, params.companyId, body)
    const only = ({ secondFactor }: Company) => ({ secondFactor })
    note({ companyId: after.id, target: after.name, detail: { before: only(before), after: only(after) } })
    return after
  })
}
