import { whiteLabel } from '@voisol/contract/white-label'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { getWhiteLabel, updateWhiteLabel } from './white-label.ts'

export function whiteLabelRoutes(app: FastifyInstance) {
  route(app, whiteLabel.get, ({ params }, { db }) => getWhiteLabel(db, params.companyId))

  route(app, whiteLabel.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after, company, named } = await updateWhiteLabel(db, actor, params.companyId, body)
    note({ companyId: company.id, target: company.name, detail: { before, after: named } })
    return after
  })
}
