import { supplierBills } from '@voisol/contract/supplier-bills'
import type { FastifyInstance } from 'fastify'
import { handedOver } from '../../../compute/handed-over.ts'
import { brandOf } from '../../../core/brand.ts'
import { AppError } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { today } from '../../../today.ts'
import { letterPdf } from './letter.ts'
import { checkBill, getBill, listBills, pointsOf } from './supplier-bills.ts'

const REFUSALS = {
  unreadable:
    'Ce fichier n’est pas un PDF lisible\u00a0: il est protégé, abîmé, ou c’est une image. Saisissez les chiffres de la facture.',
  'too-long': 'Ce PDF dépasse 20 pages\u00a0: ce n’est pas une facture. Saisissez ses chiffres.',
}

export function supplierBillRoutes(app: FastifyInstance) {
  route(app, supplierBills.list, async (_, { db, actor }) => ({
    items: await listBills(db, actor),
    points: await pointsOf(db, actor),
  }))
  route(app, supplierBills.read, async ({ upload }, { compute, actor }) => {
    const read = await compute('supplier-bills.read', handedOver(upload), { companyId: actor.companyId })
    if (typeof read === 'string') throw new AppError('invalid', { message: REFUSALS[read] })
    return read
  })
  route(app, supplierBills.check, async ({ body }, { db, actor, note }) => {
    const checked = await checkBill(db, actor, body)
    note({ target: checked.participant.name, detail: { after: { ...body, verdict: checked.verdict } } })
    return checked
  })
  route(app, supplierBills.letter, async ({ params }, { db, actor }) => {
    const bill = await getBill(db, actor, params.id)
    if (bill.verdict !== 'short' && bill.verdict !== 'over')
      throw new AppError('conflict', { message: 'La déduction n’est pas en défaut\u00a0: il n’y a rien à réclamer.' })
    const content = await letterPdf(bill, await brandOf(db, actor.companyId), today())
    return { name: `reclamation-${bill.point.prm}-${bill.from}.pdf`, content }
  })
}
