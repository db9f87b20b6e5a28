import { parties } from '@voisol/contract/parties'
import type { Seller } from '@voisol/contract/sellers'
import type { FastifyInstance } from 'fastify'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import {
  addBillingMandate,
  loadMandateFile,
  removeBillingMandate,
  saveSignedMandate,
  updateBillingMandate,
} from './billing-mandates.ts'
import { registerBuyerRoutes } from './buyer-routes.ts'
import { addSeller, addVat, removeSeller, removeVat, saveSellerBank, updateSeller } from './change-seller.ts'
import { listSellerCandidates, listSellers, loadSeller } from './list-sellers.ts'

/** The stored fields of a seller for the audit log, without its bank account and computed fields. */
function toAuditDetail(seller: Seller) {
  const { id: _, vat: _vat, mandates: _mandates, issues: _issues, documents: _documents, ...written } = seller
  return written
}
type MandateDates = { startsOn: string; endsOn: string | null; signedOn: string }
const toMandateDates = ({ startsOn, endsOn, signedOn }: MandateDates) => ({ startsOn, endsOn, signedOn })

export function registerPartyRoutes(app: FastifyInstance) {
  addRoute(app, parties.sellers, async (_, { db, actor }) => ({ items: await listSellers(db, actor) }))
  addRoute(app, parties.candidates, async (_, { db, actor }) => ({ items: await listSellerCandidates(db, actor) }))
  addRoute(app, parties.seller, ({ params }, { db, actor }) => loadSeller(db, actor, params.id))
  registerSellerRoutes(app)
  registerVatRoutes(app)
  registerBillingMandateRoutes(app)
  registerBuyerRoutes(app)
}

function registerSellerRoutes(app: FastifyInstance) {
  addRoute(app, parties.addSeller, async ({ body }, { db, actor, note }) => {
    const after = await addSeller(db, actor, body)
    note({ target: after.name, detail: { after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, parties.updateSeller, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateSeller(db, actor, params.id, body)
    note({ target: after.name, detail: { before: toAuditDetail(before), after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, parties.removeSeller, async ({ params }, { db, actor, note }) => {
    const { name, prefix } = await removeSeller(db, actor, params.id)
    note({ target: name, detail: { before: { name, prefix } } })
    return { success: true as const }
  })
  addRoute(app, parties.sellerBank, ({ params, body }, ctx) => changeBankAccount(ctx, params.id, body))
}

/** The audit log keeps the last digits of the IBAN, never the whole IBAN. */
async function changeBankAccount(ctx: RouteContext, id: string, body: Parameters<typeof saveSellerBank>[4]) {
  const { before, after } = await saveSellerBank(ctx.db, ctx.secrets, ctx.actor, id, body)
  const toAccountDetail = ({ ibanEnd, bic }: { ibanEnd: string; bic: string }) => ({ ibanEnd, bic })
  ctx.note({ target: after.name, detail: { before: toAccountDetail(before), after: toAccountDetail(after) } })
  return after
}

function registerVatRoutes(app: FastifyInstance) {
  addRoute(app, parties.addVat, async ({ params, body }, { db, actor, note }) => {
    const after = await addVat(db, actor, params.id, body)
    note({ target: after.name, detail: { after: body } })
    return after
  })
  addRoute(app, parties.removeVat, async ({ params }, { db, actor, note }) => {
    const { before, after } = await removeVat(db, actor, params.id)
    const { startsOn, mode, rate } = before
    note({ target: after.name, detail: { before: { startsOn, mode, rate } } })
    return after
  })
}

function registerBillingMandateRoutes(app: FastifyInstance) {
  addRoute(app, parties.addMandate, async ({ params, body }, { db, actor, note }) => {
    const after = await addBillingMandate(db, actor, params.id, body)
    note({ target: after.name, detail: { after: body } })
    return after
  })
  addRoute(app, parties.updateMandate, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateBillingMandate(db, actor, params.id, body)
    note({ target: after.name, detail: { before: toMandateDates(before), after: toMandateDates(body) } })
    return after
  })
  addRoute(app, parties.removeMandate, async ({ params }, { db, actor, note }) => {
    const { before, after } = await removeBillingMandate(db, actor, params.id)
    note({ target: after.name, detail: { before: toMandateDates(before) } })
    return after
  })
  addRoute(app, parties.mandateFile, ({ params }, { db, files, actor }) => loadMandateFile(db, files, actor, params.id))
  addRoute(app, parties.putMandateFile, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { file, after } = await saveSignedMandate(db, files, actor, params.id, { name: query.name, content: upload })
    note({ target: after.name, detail: { after: { file: file.name, size: file.size } } })
    return after
  })
}
