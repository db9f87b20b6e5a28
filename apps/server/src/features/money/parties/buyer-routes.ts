import type { Buyer, BuyerGroup } from '@voisol/contract/buyers'
import { OperationTerms } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '../../../core/operation.ts'
import { route } from '../../../http/route.ts'
import { getBuyer, listBuyers } from './buyer-view.ts'
import { saveBuyer } from './buyer-write.ts'
import { addGroup, listGroups, removeGroup, updateGroup } from './groups.ts'
import { saveTerms, termsOf } from './operation-terms.ts'

function facts(buyer: Buyer) {
  const { id: _, issues: _issues, printedAddress: _printed, groupName: _group, ...written } = buyer
  return written
}
const named = ({ name, note }: BuyerGroup) => ({ name, note })

export function buyerRoutes(app: FastifyInstance) {
  route(app, parties.buyers, ({ query }, { db, actor }) => listBuyers(db, actor, query))
  route(app, parties.buyer, ({ params }, { db, actor }) => getBuyer(db, actor, params.id))
  route(app, parties.saveBuyer, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await saveBuyer(db, actor, params.id, body)
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })
  groupRoutes(app)
  termRoutes(app)
}

function groupRoutes(app: FastifyInstance) {
  route(app, parties.groups, async (_, { db, actor }) => ({ items: await listGroups(db, actor) }))
  route(app, parties.addGroup, async ({ body }, { db, actor, note }) => {
    const after = await addGroup(db, actor, body)
    note({ target: after.name, detail: { after: named(after) } })
    return after
  })
  route(app, parties.updateGroup, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateGroup(db, actor, params.id, body)
    note({ target: after.name, detail: { before: named(before), after: named(after) } })
    return after
  })
  route(app, parties.removeGroup, async ({ params }, { db, actor, note }) => {
    const before = await removeGroup(db, actor, params.id)
    note({ target: before.name, detail: { before: named(before) } })
    return { success: true as const }
  })
}

function termRoutes(app: FastifyInstance) {
  route(app, parties.terms, async ({ params }, { db, actor }) => {
    await findOperation(db, actor, params.id)
    return OperationTerms.parse(await termsOf(db, actor.companyId, params.id))
  })
  route(app, parties.saveTerms, async ({ params, body }, { db, actor, note }) => {
    const { name, before, after } = await saveTerms(db, actor, params.id, body)
    const [was, is] = [OperationTerms.parse(before), OperationTerms.parse(after)]
    note({ target: name, detail: { operationId: params.id, before: was, after: is } })
    return is
  })
}
