import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { formatEuros, formatFrenchDecimal, formatIban, formatLongDay, formatPeriod } from './number-and-date-formats.ts'
import { drawBullets, drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles, type FigureTile } from './pdf/table.ts'
import { parseBoldMarkup, TEXT_STYLES } from './pdf/text.ts'

type Creditor = {
  name: string
  /** What is still owed, less credit notes. */
  amount: number
  dueOn: string | null
  numbers: string[]
  mandate: { rum: string; ibanEnd: string } | null
  iban: string
  bic: string
}
/** One cover for what several sellers ask of one buyer for the same operation; it is not an invoice. */
export type DueNoticeData = Pick<InvoiceSnapshot, 'issuedOn' | 'buyer' | 'operation'> & {
  items: { seller: string; document: string; from: string; to: string; gross: number; open: number }[]
  creditors: Creditor[]
  brand: Brand
}

const sumFigures = (figures: number[]) => figures.reduce((all, one) => all + one, 0)

/** Recipient, amount, due date and means of payment: each seller is paid separately. */
function formatPaymentInstruction({ name, amount, dueOn, numbers, mandate, iban, bic }: Creditor): string {
  if (amount <= 0 || !dueOn) return `**${name}**\u00a0: rien ne reste à payer.`
  const what = `**${name}**\u00a0: **${formatEuros(amount)}**`
  if (mandate)
    return `${what} par prélèvement sur votre compte finissant par ${mandate.ibanEnd} (mandat ${mandate.rum}), pas avant le ${formatLongDay(dueOn)}. Vous n’avez rien à faire\u00a0: le jour exact vous est annoncé avant.`
  const before = `au plus tard le **${formatLongDay(dueOn)}**`
  const reference = `en rappelant ${numbers.length > 1 ? 'les références' : 'la référence'} **${numbers.join(', ')}**`
  if (!iban) return `${what} ${before}, selon le mode de paiement convenu, ${reference}.`
  return `${what} ${before}, par virement\u00a0: IBAN **${formatIban(iban)}**${bic ? `, BIC ${bic}` : ''}, ${reference}.`
}

const toTile = (label: string, creditors: Creditor[], colour: string): FigureTile => ({
  label,
  figure: formatFrenchDecimal(sumFigures(creditors.map(({ amount }) => amount)), 2),
  unit: '€',
  colour,
})

/** What is due, what is debited automatically, and what the reader has to do. */
const toTiles = (creditors: Creditor[]): FigureTile[] => [
  toTile('Reste à payer en tout', creditors, COLOURS.sun),
  toTile(
    'Prélevé sans rien faire',
    creditors.filter(({ mandate }) => mandate),
    COLOURS.night,
  ),
  toTile(
    'À régler par vous',
    creditors.filter(({ mandate }) => !mandate),
    COLOURS.surplus,
  ),
]

export async function buildDueNoticePdf(notice: DueNoticeData): Promise<Uint8Array> {
  const { issuedOn, buyer, operation, items, creditors, brand } = notice
  const title = 'Avis d’échéance'
  const createdAt = new Date(`${issuedOn}T12:00:00Z`)
  const sheet = openPdf({ title, subject: operation.name, author: brand.name, createdAt })
  drawOpening(
    sheet,
    title,
    `${operation.name}${operation.pmoName && ` · ${operation.pmoName}`}`,
    formatLongDay(issuedOn),
    brand,
  )
  drawParagraph(
    sheet,
    parseBoldMarkup(`À l’attention de **${[buyer.name, ...buyer.jointHolders].join(' et ')}**`, TEXT_STYLES.body),
  )
  drawParagraph(
    sheet,
    `Vous achetez votre électricité locale à ${creditors.length} vendeurs\u00a0: chacun établit sa facture. Cet avis les rassemble\u00a0; il n’est pas une facture et ne remplace aucune d’elles.`,
  )
  drawTiles(sheet, toTiles(creditors))
  drawTable(
    sheet,
    [
      { head: 'Vendeur', part: 27 },
      { head: 'Document', part: 27 },
      { head: 'Période', part: 18 },
      { head: 'TTC', part: 14, align: 'end' },
      { head: 'Reste dû', part: 14, align: 'end' },
    ],
    [
      ...items.map((item) => [
        item.seller,
        item.document,
        formatPeriod(item),
        formatEuros(item.gross),
        formatEuros(item.open),
      ]),
      [
        'En tout',
        '',
        '',
        formatEuros(sumFigures(items.map(({ gross }) => gross))),
        formatEuros(sumFigures(items.map(({ open }) => open))),
      ],
    ],
    { total: true },
  )
  drawHeading(sheet, 2, 'Comment régler')
  drawBullets(
    sheet,
    creditors.map((creditor) => parseBoldMarkup(formatPaymentInstruction(creditor), TEXT_STYLES.body)),
  )
  drawParagraph(
    sheet,
    'Chaque vendeur est payé séparément. Dans votre espace client, chaque facture s’ouvre ligne par ligne et se recalcule devant vous.',
  )
  return closePdf(sheet, { title, brand })
}
