import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import type { statements } from '@voisol/contract/statements'
import type { z } from 'zod'
import {
  formatAxisDay,
  formatBasisPoints,
  formatEuros,
  formatFrenchDecimal,
  formatLongMonth,
  formatPricePerKwh,
  formatWhAsKwh,
} from './number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'

type Statement = z.output<typeof statements.get.response>
type Fee = Statement['fees'][number]

const toTile = (label: string, cents: number, colour: string) => ({
  label,
  figure: formatFrenchDecimal(cents, 2),
  unit: '€',
  colour,
})

function formatFee({ terms }: Fee): string {
  if (terms.kind === 'perKwh') return `Au kWh partagé, ${formatPricePerKwh(terms.price)}`
  return terms.kind === 'percentNet' ? `${formatBasisPoints(terms.bp)} des ventes HT` : 'Forfait mensuel'
}

const formatSignedAmount = ({ kind }: Statement['items'][number], cents: number) =>
  formatEuros(kind === 'creditNote' ? 0 - cents : cents)

/** A producer's statement of a month: each document, the fees, and what is left. */
export async function buildStatementPdf(statement: Statement, brand: Brand): Promise<Uint8Array> {
  const { seller, month, sales, fees, fee, result, collected, payable, settled, items } = statement
  const title = 'Relevé du producteur'
  const at = settled ? new Date(settled.at) : new Date(`${month}T12:00:00Z`)
  const sheet = openPdf({ title, subject: formatLongMonth(month), author: brand.name, createdAt: at })
  drawOpening(
    sheet,
    title,
    `${seller} · documents émis en ${formatLongMonth(month)}`,
    settled ? `Arrêté le ${formatAxisDay(settled.at.slice(0, 10))}` : 'Non arrêté',
    brand,
  )
  drawTiles(sheet, [
    toTile('Ventes TTC', sales.gross, COLOURS.sun),
    toTile('Frais TTC', fee.gross, COLOURS.night),
    toTile('Résultat', result, COLOURS.surplus),
  ])
  drawParagraph(
    sheet,
    `${formatWhAsKwh(sales.wh)} vendus, ${formatEuros(sales.net)} HT et ${formatEuros(sales.tax)} de TVA. Les avoirs sont déduits.`,
  )
  if (collected !== null)
    drawParagraph(
      sheet,
      `${formatEuros(collected)} encaissés ce mois-ci pour votre compte. Frais déduits, ${formatEuros(Math.max(payable ?? 0, 0))} sont à vous verser${(payable ?? 0) < 0 ? `\u00a0; ${formatEuros(-(payable ?? 0))} sont reportés` : ''}.`,
    )
  if (fees.length > 0) {
    drawHeading(sheet, 2, 'Frais de l’organisateur')
    drawTable(
      sheet,
      [
        { head: 'Frais', part: 70 },
        { head: 'Montant HT', part: 30, align: 'end' },
      ],
      [
        ...fees.map((each) => [formatFee(each), formatEuros(each.cents)]),
        [`Total TTC, dont ${formatEuros(fee.tax)} de TVA`, formatEuros(fee.gross)],
      ],
      { total: true },
    )
  }
  drawHeading(sheet, 2, 'Documents')
  drawTable(
    sheet,
    [
      { head: 'Numéro', part: 22 },
      { head: 'Date', part: 14 },
      { head: 'Acheteur', part: 30 },
      { head: 'HT', part: 11, align: 'end' },
      { head: 'TVA', part: 11, align: 'end' },
      { head: 'TTC', part: 12, align: 'end' },
    ],
    items.map((item) => [
      item.kind === 'invoice' ? item.number : `${item.number} (${INVOICE_KIND_LABELS[item.kind].toLowerCase()})`,
      formatAxisDay(item.issuedOn),
      item.buyer,
      formatSignedAmount(item, item.net),
      formatSignedAmount(item, item.tax),
      formatSignedAmount(item, item.gross),
    ]),
  )
  return closePdf(sheet, { title, brand })
}
