import { type SupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { formatLongDay, formatPeriod, formatWhAsKwh } from '@voisol/documents/number-and-date-formats'
import { drawHeading, drawOpening, drawParagraph } from '@voisol/documents/pdf/blocks'
import { closePdf, openPdf } from '@voisol/documents/pdf/document'
import type { Brand } from '@voisol/documents/pdf/frame'
import { formatFrenchNumber } from '@voisol/file-formats/french'
import type { FastifyInstance } from 'fastify'
import { loadBrand, toCreditorBrand } from '../../../core/brand.ts'
import { AppError } from '../../../http/errors.ts'
import { addRoute } from '../../../http/route.ts'
import { getToday } from '../../../today.ts'
import { copyForTransfer } from '../../../workers/task.ts'
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

const SOURCE_LABELS: Record<string, string> = {
  distributor: 'quantité du gestionnaire de réseau',
  definitive: 'répartition définitive',
  outside: 'hors opération, rien à déduire',
}
/** Watt-minutes as whole Wh, for display. */
const toWattHours = (wattMinutes: number) => Math.floor((2 * wattMinutes + 60) / 120)

/** A claim to send to a supplier who deducted a wrong local share. */
function renderClaimPdf(bill: SupplierBill, by: Brand, today: string): Promise<Uint8Array> {
  const title = 'Réclamation sur une facture d’électricité'
  const { name } = bill.participant
  const brand = toCreditorBrand(by, { name, email: '' })
  const sheet = openPdf({ title, subject: name, author: name, createdAt: new Date(`${today}T12:00:00Z`) })
  drawOpening(sheet, title, `${name}, à l’attention de ${bill.supplier}`, formatLongDay(today), brand)
  const named = bill.number ? `la facture ${bill.number}` : 'votre facture'
  drawParagraph(sheet, `Madame, Monsieur,`)
  drawParagraph(
    sheet,
    `Le point de livraison ${bill.point.prm} prend part à une opération d’autoconsommation collective. Pour la période ${formatPeriod(bill)}, ${named} déduit ${formatFrenchNumber(bill.deductedKwh)}\u00a0kWh d’énergie locale, alors que ${formatWhAsKwh(bill.expectedWh ?? 0)} lui ont été affectés.`,
  )
  drawHeading(sheet, 2, 'Ce qui a été affecté')
  for (const part of bill.parts)
    drawParagraph(
      sheet,
      `${formatPeriod(part)}\u00a0: ${part.local === null ? '' : `${formatWhAsKwh(toWattHours(part.local))}, `}${SOURCE_LABELS[part.source] ?? ''}.`,
    )
  drawHeading(sheet, 2, 'Ce que je vous demande')
  drawParagraph(
    sheet,
    'Je vous demande de rectifier cette facture d’après les quantités affectées, que le gestionnaire du réseau de distribution vous transmet pour ce point (articles L. 315-2 et suivants du code de l’énergie), et de m’adresser la facture rectificative et, le cas échéant, le remboursement.',
  )
  drawParagraph(sheet, `${name}. Chiffres établis avec ${by.name}.`)
  return closePdf(sheet, { title, brand })
}
