import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { bullets, heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { LOOKS, marked } from '../pdf/runs.ts'
import { table } from '../pdf/table.ts'
import { type Tile, tiles } from '../pdf/tiles.ts'
import { euros, frenchDecimal } from './decimals.ts'
import { grouped, longDay, spanWords } from './words.ts'

type Creditor = {
  name: string
  /** What it is still owed, its credit notes taken off. */
  amount: number
  dueOn: string | null
  numbers: string[]
  mandate: { rum: string; ibanEnd: string } | null
  iban: string
  bic: string
}
/** What several sellers ask of one buyer for the same operation: a cover of their invoices, and none itself. */
export type DueNotice = Pick<InvoiceSnapshot, 'issuedOn' | 'buyer' | 'operation'> & {
  items: { seller: string; document: string; from: string; to: string; gross: number; open: number }[]
  creditors: Creditor[]
  brand: Brand
}

const sum = (figures: number[]) => figures.reduce((all, one) => all + one, 0)

/** To whom, how much, when and how: each seller is paid by itself. */
export function payWords({ name, amount, dueOn, numbers, mandate, iban, bic }: Creditor): string {
  if (amount <= 0 || !dueOn) return `**${name}**\u00a0: rien ne reste à payer.`
  const what = `**${name}**\u00a0: **${euros(amount)}**`
  if (mandate)
    return `${what} par prélèvement sur votre compte finissant par ${mandate.ibanEnd} (mandat ${mandate.rum}), pas avant le ${longDay(dueOn)}. Vous n’avez rien à faire\u00a0: le jour exact vous est annoncé avant.`
  const before = `au plus tard le **${longDay(dueOn)}**`
  const reference = `en rappelant ${numbers.length > 1 ? 'les références' : 'la référence'} **${numbers.join(', ')}**`
  if (!iban) return `${what} ${before}, selon le mode de paiement convenu, ${reference}.`
  return `${what} ${before}, par virement\u00a0: IBAN **${grouped(iban)}**${bic ? `, BIC ${bic}` : ''}, ${reference}.`
}

const tile = (label: string, creditors: Creditor[], colour: string): Tile => ({
  label,
  figure: frenchDecimal(sum(creditors.map(({ amount }) => amount)), 2),
  unit: '€',
  colour,
})

/** What is asked for, what is taken by itself, and what the reader has to do. */
const tilesOf = (creditors: Creditor[]): Tile[] => [
  tile('Reste à payer en tout', creditors, COLOURS.sun),
  tile(
    'Prélevé sans rien faire',
    creditors.filter(({ mandate }) => mandate),
    COLOURS.night,
  ),
  tile(
    'À régler par vous',
    creditors.filter(({ mandate }) => !mandate),
    COLOURS.surplus,
  ),
]

export async function dueNoticePdf(notice: DueNotice): Promise<Uint8Array> {
  const { issuedOn, buyer, operation, items, creditors, brand } = notice
  const title = 'Avis d’échéance'
  const createdAt = new Date(`${issuedOn}T12:00:00Z`)
  const sheet = openSheet({ title, subject: operation.name, author: brand.name, createdAt })
  opening(sheet, title, `${operation.name}${operation.pmoName && ` · ${operation.pmoName}`}`, longDay(issuedOn), brand)
  paragraph(sheet, marked(`À l’attention de **${[buyer.name, ...buyer.jointHolders].join(' et ')}**`, LOOKS.body))
  paragraph(
    sheet,
    `Vous achetez votre électricité locale à ${creditors.length} vendeurs\u00a0: chacun établit sa facture. Cet avis les rassemble\u00a0; il n’est pas une facture et ne remplace aucune d’elles.`,
  )
  tiles(sheet, tilesOf(creditors))
  table(
    sheet,
    [
      { head: 'Vendeur', part: 27 },
      { head: 'Document', part: 27 },
      { head: 'Période', part: 18 },
      { head: 'TTC', part: 14, align: 'end' },
      { head: 'Reste dû', part: 14, align: 'end' },
    ],
    [
      ...items.map((item) => [item.seller, item.document, spanWords(item), euros(item.gross), euros(item.open)]),
      ['En tout', '', '', euros(sum(items.map(({ gross }) => gross))), euros(sum(items.map(({ open }) => open)))],
    ],
    { total: true },
  )
  heading(sheet, 2, 'Comment régler')
  bullets(
    sheet,
    creditors.map((creditor) => marked(payWords(creditor), LOOKS.body)),
  )
  paragraph(
    sheet,
    'Chaque vendeur est payé séparément. Dans votre espace client, chaque facture s’ouvre ligne par ligne et se recalcule devant vous.',
  )
  return closeSheet(sheet, { title, brand })
}
