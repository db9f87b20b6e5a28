import { type Company, companies } from '@voisol/contract/companies'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { loadCompany, loadCompanyContact, updateCompany, updateSecondFactorPolicy } from './companies.ts'

export function companyRoutes(app: FastifyInstance) {
  addRoute(app, companies.get, ({ params }, { db, actor }) => loadCompany(db, actor, params.companyId))

  addRoute(app, companies.contact, (_, { db, actor }) => loadCompanyContact(db, actor))

  addRoute(app, companies.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateCompany(db, actor, params.companyId, body)
    note({ companyId: after.id, target: after.name, detail: { before, after } })
    return after
  })

  addRoute(app, companies.requireSecondFactor, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateSecondFactorPolicy(db, actor, params.companyId, body)
    const only = ({ secondFactor }: Company) => ({ secondFactor })
    note({ companyId: after.id, target: after.name, detail: { before: only(before), after: only(after) } })
    return after
  })
}
