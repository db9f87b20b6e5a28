import { type Buyer, type BuyerGroup, OperationTerms } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import type { FastifyInstance } from 'fastify'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { addRoute } from '../../../http/route.ts'
import {
  addBuyerGroup,
  listBuyerGroups,
  listBuyers,
  loadBuyer,
  removeBuyerGroup,
  saveBuyer,
  updateBuyerGroup,
} from './manage-buyers.ts'
import { loadOperationTerms, saveOperationTerms } from './operation-terms.ts'

function toAuditDetail(buyer: Buyer) {
  const { id: _, issues: _issues, printedAddress: _printed, groupName: _group, ...written } = buyer
  return written
}
const toGroupAuditDetail = ({ name, note }: BuyerGroup) => ({ name, note })

export function registerBuyerRoutes(app: FastifyInstance) {
  addRoute(app, parties.buyers, ({ query }, { db, actor }) => listBuyers(db, actor, query))
  addRoute(app, parties.buyer, ({ params }, { db, actor }) => loadBuyer(db, actor, params.id))
  addRoute(app, parties.saveBuyer, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await saveBuyer(db, actor, params.id, body)
    note({ target: after.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return after
  })
  registerBuyerGroupRoutes(app)
  registerOperationTermsRoutes(app)
}

function registerBuyerGroupRoutes(app: FastifyInstance) {
  addRoute(app, parties.groups, async (_, { db, actor }) => ({ items: await listBuyerGroups(db, actor) }))
  addRoute(app, parties.addGroup, async ({ body }, { db, actor, note }) => {
    const after = await addBuyerGroup(db, actor, body)
    note({ target: after.name, detail: { after: toGroupAuditDetail(after) } })
    return after
  })
  addRoute(app, parties.updateGroup, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateBuyerGroup(db, actor, params.id, body)
    note({ target: after.name, detail: { before: toGroupAuditDetail(before), after: toGroupAuditDetail(after) } })
    return after
  })
  addRoute(app, parties.removeGroup, async ({ params }, { db, actor, note }) => {
    const before = await removeBuyerGroup(db, actor, params.id)
    note({ target: before.name, detail: { before: toGroupAuditDetail(before) } })
    return { success: true as const }
  })
}

function registerOperationTermsRoutes(app: FastifyInstance) {
  addRoute(app, parties.terms, async ({ params }, { db, actor }) => {
    await requireVisibleOperation(db, actor, params.id)
    return OperationTerms.parse(await loadOperationTerms(db, actor.companyId, params.id))
  })
  addRoute(app, parties.saveTerms, async ({ params, body }, { db, actor, note }) => {
    const { name, before, after } = await saveOperationTerms(db, actor, params.id, body)
    const [was, is] = [OperationTerms.parse(before), OperationTerms.parse(after)]
    note({ target: name, detail: { operationId: params.id, before: was, after: is } })
    return is
  })
}
