import { KIND_WORDS } from '@voisol/contract/money'
import type { statements } from '@voisol/contract/statements'
import type { z } from 'zod'
import { heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'
import { centsPerKwh, euros, frenchDecimal, kwh, percent } from './decimals.ts'
import { monthWords, shortDay } from './words.ts'

type Statement = z.output<typeof statements.get.response>
type Fee = Statement['fees'][number]

const tile = (label: string, cents: number, colour: string) => ({
  label,
  figure: frenchDecimal(cents, 2),
  unit: '€',
  colour,
})

function feeWords({ terms }: Fee): string {
  if (terms.kind === 'perKwh') return `Au kWh partagé, ${centsPerKwh(terms.price)}`
  return terms.kind === 'percentNet' ? `${percent(terms.bp)} des ventes HT` : 'Forfait mensuel'
}

const signed = ({ kind }: Statement['items'][number], cents: number) => euros(kind === 'creditNote' ? 0 - cents : cents)

/** What a producer is told of a month: each document, the fees, and what is left. */
export async function statementPdf(statement: Statement, brand: Brand): Promise<Uint8Array> {
  const { seller, month, sales, fees, fee, result, collected, payable, settled, items } = statement
  const title = 'Relevé du producteur'
  const at = settled ? new Date(settled.at) : new Date(`${month}T12:00:00Z`)
  const sheet = openSheet({ title, subject: monthWords(month), author: brand.name, createdAt: at })
  opening(
    sheet,
    title,
    `${seller} · documents émis en ${monthWords(month)}`,
    settled ? `Arrêté le ${shortDay(settled.at.slice(0, 10))}` : 'Non arrêté',
    brand,
  )
  tiles(sheet, [
    tile('Ventes TTC', sales.gross, COLOURS.sun),
    tile('Frais TTC', fee.gross, COLOURS.night),
    tile('Résultat', result, COLOURS.surplus),
  ])
  paragraph(
    sheet,
    `${kwh(sales.wh)} vendus, ${euros(sales.net)} HT et ${euros(sales.tax)} de TVA. Les avoirs sont déduits.`,
  )
  if (collected !== null)
    paragraph(
      sheet,
      `${euros(collected)} encaissés ce mois-ci pour votre compte. Frais déduits, ${euros(Math.max(payable ?? 0, 0))} sont à vous verser${(payable ?? 0) < 0 ? `\u00a0; ${euros(-(payable ?? 0))} sont reportés` : ''}.`,
    )
  if (fees.length > 0) {
    heading(sheet, 2, 'Frais de l’organisateur')
    table(
      sheet,
      [
        { head: 'Frais', part: 70 },
        { head: 'Montant HT', part: 30, align: 'end' },
      ],
      [
        ...fees.map((each) => [feeWords(each), euros(each.cents)]),
        [`Total TTC, dont ${euros(fee.tax)} de TVA`, euros(fee.gross)],
      ],
      { total: true },
    )
  }
  heading(sheet, 2, 'Documents')
  table(
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
      item.kind === 'invoice' ? item.number : `${item.number} (${KIND_WORDS[item.kind].toLowerCase()})`,
      shortDay(item.issuedOn),
      item.buyer,
      signed(item, item.net),
      signed(item, item.tax),
      signed(item, item.gross),
    ]),
  )
  return closeSheet(sheet, { title, brand })
}
