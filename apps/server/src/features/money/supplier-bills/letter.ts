import type { SupplierBill } from '@voisol/contract/supplier-bills'
import { inTheNameOf } from '../../../core/brand.ts'
import { frenchNumber } from '../../../french.ts'
import { kwh } from '../../../papers/decimals.ts'
import { longDay, spanWords } from '../../../papers/words.ts'
import { heading, opening, paragraph } from '../../../pdf/blocks.ts'
import { closeSheet, openSheet } from '../../../pdf/document.ts'
import type { Brand } from '../../../pdf/frame.ts'

const SOURCES: Record<string, string> = {
  distributor: 'quantité du gestionnaire de réseau',
  definitive: 'répartition définitive',
  outside: 'hors opération, rien à déduire',
}
/** Watt-minutes as whole Wh, to be read. */
const wh = (wattMinutes: number) => Math.floor((2 * wattMinutes + 60) / 120)

/** To be sent to a supplier who took off another share than the one that was allotted. */
export function letterPdf(bill: SupplierBill, by: Brand, today: string): Promise<Uint8Array> {
  const title = 'Réclamation sur une facture d’électricité'
  const { name } = bill.participant
  const brand = inTheNameOf(by, { name, email: '' })
  const sheet = openSheet({ title, subject: name, author: name, createdAt: new Date(`${today}T12:00:00Z`) })
  opening(sheet, title, `${name}, à l’attention de ${bill.supplier}`, longDay(today), brand)
  const named = bill.number ? `la facture ${bill.number}` : 'votre facture'
  paragraph(sheet, `Madame, Monsieur,`)
  paragraph(
    sheet,
    `Le point de livraison ${bill.point.prm} prend part à une opération d’autoconsommation collective. Pour la période ${spanWords(bill)}, ${named} déduit ${frenchNumber(bill.deductedKwh)}\u00a0kWh d’énergie locale, alors que ${kwh(bill.expectedWh ?? 0)} lui ont été affectés.`,
  )
  heading(sheet, 2, 'Ce qui a été affecté')
  for (const part of bill.parts)
    paragraph(
      sheet,
      `${spanWords(part)}\u00a0: ${part.local === null ? '' : `${kwh(wh(part.local))}, `}${SOURCES[part.source] ?? ''}.`,
    )
  heading(sheet, 2, 'Ce que je vous demande')
  paragraph(
    sheet,
    'Je vous demande de rectifier cette facture d’après les quantités affectées, que le gestionnaire du réseau de distribution vous transmet pour ce point (articles L. 315-2 et suivants du code de l’énergie), et de m’adresser la facture rectificative et, le cas échéant, le remboursement.',
  )
  paragraph(sheet, `${name}. Chiffres établis avec ${by.name}.`)
  return closeSheet(sheet, { title, brand })
}
