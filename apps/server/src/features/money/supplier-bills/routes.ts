import { supplierBills } from '@voisol/contract/supplier-bills'
import type { FastifyInstance } from 'fastify'
import { copyForTransfer } from '../../../compute/handed-over.ts'
import { loadBrand } from '../../../core/brand.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { renderClaimPdf } from './letter.ts'
import { checkSupplierBill, listSupplierBills, loadConsumptionPoints, loadSupplierBill } from './supplier-bills.ts'

const REFUSAL_MESSAGES = {
  unreadable:
    'Ce fichier n’est pas un PDF lisible\u00a0: il est protégé, abîmé, ou c’est une image. Saisissez les chiffres de la facture.',
  'too-long': 'Ce PDF dépasse 20 pages\u00a0: ce n’est pas une facture. Saisissez ses chiffres.',
}

export function registerSupplierBillRoutes(app: FastifyInstance) {
  addRoute(app, supplierBills.list, async (_, { db, actor }) => ({
    items: await listSupplierBills(db, actor),
    points: await loadConsumptionPoints(db, actor),
  }))
  addRoute(app, supplierBills.read, async ({ upload }, { compute, actor }) => {
    const read = await compute('supplier-bills.read', copyForTransfer(upload), { companyId: actor.companyId })
    if (typeof read === 'string') throw new AppError('invalid', { message: REFUSAL_MESSAGES[read] })
    return read
  })
  addRoute(app, supplierBills.check, async ({ body }, { db, actor, note }) => {
    const checked = await checkSupplierBill(db, actor, body)
    note({ target: checked.participant.name, detail: { after: { ...body, verdict: checked.verdict } } })
    return checked
  })
  addRoute(app, supplierBills.letter, async ({ params }, { db, actor }) => {
    const bill = await loadSupplierBill(db, actor, params.id)
    if (bill.verdict !== 'short' && bill.verdict !== 'over')
      throw new AppError('conflict', { message: 'La déduction n’est pas en défaut\u00a0: il n’y a rien à réclamer.' })
    const content = await renderClaimPdf(bill, await loadBrand(db, actor.companyId), getToday())
    return { name: `reclamation-${bill.point.prm}-${bill.from}.pdf`, content }
  })
}
