import { LEVEL_WORDS, type ReminderSnapshot } from '@voisol/contract/reminders'
import { heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { table } from '../pdf/table.ts'
import { euros } from './decimals.ts'
import { longDay, shortDay } from './words.ts'

type Paper = { level: number; sentOn: string; snapshot: ReminderSnapshot; brand: Brand }

/** A reminder as a letter: who writes to whom, what is owed, and what was written before. */
export async function reminderPdf({ level, sentOn, snapshot, brand }: Paper): Promise<Uint8Array> {
  const { seller, buyer, text, items, open, fees, before } = snapshot
  const title = LEVEL_WORDS[level] ?? 'Relance'
  const sheet = openSheet({
    title,
    subject: buyer.name,
    author: brand.name,
    createdAt: new Date(`${sentOn}T12:00:00Z`),
  })
  opening(sheet, title, `${seller.name} · ${seller.address}`, longDay(sentOn), brand)
  paragraph(sheet, `À l’attention de ${buyer.name}`)
  if (buyer.address) paragraph(sheet, buyer.address)
  for (const part of text.split(/\n{2,}/)) paragraph(sheet, part.replaceAll('\n', ' '))
  heading(sheet, 2, 'Ce qui reste dû')
  table(
    sheet,
    [
      { head: 'Document', part: 40 },
      { head: 'Échéance', part: 30 },
      { head: 'Reste dû', part: 30, align: 'end' },
    ],
    [...items.map((item) => [item.number, shortDay(item.due), euros(item.open)]), ['Total', '', euros(open)]],
    { total: true },
  )
  if (fees)
    paragraph(
      sheet,
      `S’y ajoutent, entre professionnels, ${euros(fees.indemnity)} d’indemnité forfaitaire de recouvrement et ${euros(fees.interest)} de pénalités de retard à ce jour (Code de commerce, articles L. 441-10 et D. 441-5).`,
    )
  if (before.length > 0) {
    heading(sheet, 2, 'Relances précédentes')
    table(
      sheet,
      [
        { head: 'Relance', part: 40 },
        { head: 'Envoyée le', part: 30 },
        { head: 'Somme due alors', part: 30, align: 'end' },
      ],
      before.map((one) => [LEVEL_WORDS[one.level] ?? '', shortDay(one.sentOn), euros(one.open)]),
    )
  }
  const reach = [seller.email, seller.phone].filter(Boolean).join(' · ')
  paragraph(sheet, reach ? `${seller.name} — ${reach}` : seller.name)
  return closeSheet(sheet, { title, brand })
}
