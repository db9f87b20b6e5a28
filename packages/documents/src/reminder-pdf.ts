import { REMINDER_LEVEL_LABELS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { formatAxisDay, formatEuros, formatLongDay } from './number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { drawTable } from './pdf/table.ts'

type ReminderPdfInput = { level: number; sentOn: string; snapshot: ReminderSnapshot; brand: Brand }

/** A reminder as a letter: sender, recipient, amounts due, and earlier reminders. */
export async function buildReminderPdf({ level, sentOn, snapshot, brand }: ReminderPdfInput): Promise<Uint8Array> {
  const { seller, buyer, text, items, open, fees, before } = snapshot
  const title = REMINDER_LEVEL_LABELS[level] ?? 'Relance'
  const sheet = openPdf({
    title,
    subject: buyer.name,
    author: brand.name,
    createdAt: new Date(`${sentOn}T12:00:00Z`),
  })
  drawOpening(sheet, title, seller.address || seller.name, formatLongDay(sentOn), brand)
  drawParagraph(sheet, `À l’attention de ${buyer.name}`)
  if (buyer.address) drawParagraph(sheet, buyer.address)
  for (const part of text.split(/\n{2,}/)) drawParagraph(sheet, part.replaceAll('\n', ' '))
  drawHeading(sheet, 2, 'Ce qui reste dû')
  drawTable(
    sheet,
    [
      { head: 'Document', part: 40 },
      { head: 'Échéance', part: 30 },
      { head: 'Reste dû', part: 30, align: 'end' },
    ],
    [
      ...items.map((item) => [item.number, formatAxisDay(item.due), formatEuros(item.open)]),
      ['Total', '', formatEuros(open)],
    ],
    { total: true },
  )
  if (fees)
    drawParagraph(
      sheet,
      `S’y ajoutent, entre professionnels, ${formatEuros(fees.indemnity)} d’indemnité forfaitaire de recouvrement et ${formatEuros(fees.interest)} de pénalités de retard à ce jour (Code de commerce, articles L. 441-10 et D. 441-5).`,
    )
  if (before.length > 0) {
    drawHeading(sheet, 2, 'Relances précédentes')
    drawTable(
      sheet,
      [
        { head: 'Relance', part: 40 },
        { head: 'Envoyée le', part: 30 },
        { head: 'Somme due alors', part: 30, align: 'end' },
      ],
      before.map((one) => [REMINDER_LEVEL_LABELS[one.level] ?? '', formatAxisDay(one.sentOn), formatEuros(one.open)]),
    )
  }
  const reach = [seller.email, seller.phone].filter(Boolean).join(' · ')
  drawParagraph(sheet, reach ? `${seller.name} — ${reach}` : seller.name)
  return closePdf(sheet, { title, brand })
}
