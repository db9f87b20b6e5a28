import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import type { FastifyInstance } from 'fastify'
import { type Context, route } from '../../../http/route.ts'
import { buyerRoutes } from './buyer-routes.ts'
import { mandateFileOf } from './mandate-files.ts'
import { addMandate, removeMandate, signMandate, updateMandate } from './mandates.ts'
import { saveSellerBank } from './seller-bank.ts'
import { getSeller, listCandidates, listSellers } from './seller-view.ts'
import { addSeller, removeSeller, updateSeller } from './seller-write.ts'
import { addVat, removeVat } from './vat.ts'

/** What was written of a seller; its account is no part of it, nor what is only computed. */
function facts(seller: Seller) {
  const { id: _, vat: _vat, mandates: _mandates, issues: _issues, documents: _documents, ...written } = seller
  return written
}
type Dates = { startsOn: string; endsOn: string | null; signedOn: string }
const datesOf = ({ startsOn, endsOn, signedOn }: Dates) => ({ startsOn, endsOn, signedOn })

export function partyRoutes(app: FastifyInstance) {
  route(app, parties.sellers, async (_, { db, actor }) => ({ items: await listSellers(db, actor) }))
  route(app, parties.candidates, async (_, { db, actor }) => ({ items: await listCandidates(db, actor) }))
  route(app, parties.seller, ({ params }, { db, actor }) => getSeller(db, actor, params.id))
  sellerRoutes(app)
  vatRoutes(app)
  mandateRoutes(app)
  buyerRoutes(app)
}

function sellerRoutes(app: FastifyInstance) {
  route(app, parties.addSeller, async ({ body }, { db, actor, note }) => {
    const after = await addSeller(db, actor, body)
    note({ target: after.name, detail: { after: facts(after) } })
    return after
  })
  route(app, parties.updateSeller, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateSeller(db, actor, params.id, body)
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })
  route(app, parties.removeSeller, async ({ params }, { db, actor, note }) => {
    const { name, prefix } = await removeSeller(db, actor, params.id)
    note({ target: name, detail: { before: { name, prefix } } })
    return { success: true as const }
  })
  route(app, parties.sellerBank, ({ params, body }, ctx) => changeBank(ctx, params.id, body))
}

/** The log keeps that the account changed and its last digits, never the account. */
async function changeBank(ctx: Context, id: string, body: Parameters<typeof saveSellerBank>[4]) {
  const { before, after } = await saveSellerBank(ctx.db, ctx.secrets, ctx.actor, id, body)
  const account = ({ ibanEnd, bic }: { ibanEnd: string; bic: string }) => ({ ibanEnd, bic })
  ctx.note({ target: after.name, detail: { before: account(before), after: account(after) } })
  return after
}

function vatRoutes(app: FastifyInstance) {
  route(app, parties.addVat, async ({ params, body }, { db, actor, note }) => {
    const after = await addVat(db, actor, params.id, body)
    note({ target: after.name, detail: { after: body } })
    return after
  })
  route(app, parties.removeVat, async ({ params }, { db, actor, note }) => {
    const { before, after } = await removeVat(db, actor, params.id)
    const { startsOn, mode, rate } = before
    note({ target: after.name, detail: { before: { startsOn, mode, rate } } })
    return after
  })
}

function mandateRoutes(app: FastifyInstance) {
  route(app, parties.addMandate, async ({ params, body }, { db, actor, note }) => {
    const after = await addMandate(db, actor, params.id, body)
    note({ target: after.name, detail: { after: body } })
    return after
  })
  route(app, parties.updateMandate, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateMandate(db, actor, params.id, body)
    note({ target: after.name, detail: { before: datesOf(before), after: datesOf(body) } })
    return after
  })
  route(app, parties.removeMandate, async ({ params }, { db, actor, note }) => {
    const { before, after } = await removeMandate(db, actor, params.id)
    note({ target: after.name, detail: { before: datesOf(before) } })
    return after
  })
  route(app, parties.mandateFile, ({ params }, { db, files, actor }) => mandateFileOf(db, files, actor, params.id))
  route(app, parties.putMandateFile, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { file, after } = await signMandate(db, files, actor, params.id, { name: query.name, content: upload })
    note({ target: after.name, detail: { after: { file: file.name, size: file.size } } })
    return after
  })
}
