import type { SupplierBill } from '@voisol/contract/supplier-bills'
import { toCreditorBrand } from '../../../core/brand.ts'
import { formatFrenchNumber } from '../../../french.ts'
import { formatWhAsKwh } from '../../../papers/decimals.ts'
import { formatLongDay, formatPeriod } from '../../../papers/words.ts'
import { drawHeading, drawOpening, drawParagraph } from '../../../pdf/blocks.ts'
import { closePdf, openPdf } from '../../../pdf/document.ts'
import type { Brand } from '../../../pdf/frame.ts'

const SOURCE_LABELS: Record<string, string> = {
  distributor: 'quantité du gestionnaire de réseau',
  definitive: 'répartition définitive',
  outside: 'hors opération, rien à déduire',
}
/** Watt-minutes as whole Wh, for display. */
const toWattHours = (wattMinutes: number) => Math.floor((2 * wattMinutes + 60) / 120)

/** A claim to send to a supplier who deducted a wrong local share. */
export function renderClaimPdf(bill: SupplierBill, by: Brand, today: string): Promise<Uint8Array> {
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
