import type { invoices } from '@voisol/contract/invoices'
import type { statements } from '@voisol/contract/statements'
import type { z } from 'zod'
import { formatEuros, formatFrenchDecimal, formatLongMonth, formatWhAsKwh } from './number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'

type ParticipantYear = z.output<typeof invoices.annual.response>
type ProducerYear = z.output<typeof statements.year.response>

const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const toTile = (label: string, figure: string, unit: string, colour: string) => ({ label, figure, unit, colour })
/** A fixed date, the last of its year, so that the document is identical whenever it is generated. */
const getCreationDate = (year: number) => new Date(`${year}-12-31T12:00:00Z`)

/** Energy and invoices of a participant in a year, by month supplied, with every document. */
export async function buildParticipantYearPdf(
  { buyer, year, months, totals }: ParticipantYear,
  brand: Brand,
): Promise<Uint8Array> {
  const title = `Relevé annuel ${year}`
  const sheet = openPdf({ title, subject: buyer.name, author: brand.name, createdAt: getCreationDate(year) })
  drawOpening(sheet, title, buyer.name, 'Énergie locale fournie et facturée', brand)
  drawTiles(sheet, [
    toTile('Énergie locale', formatFrenchDecimal(totals.wh, 3), 'kWh', COLOURS.sun),
    toTile('Montant HT', formatFrenchDecimal(totals.net, 2), '€', COLOURS.night),
    toTile('Montant TTC', formatFrenchDecimal(totals.gross, 2), '€', COLOURS.surplus),
  ])
  drawParagraph(sheet, 'Par mois fourni, les corrections avec le mois qu’elles corrigent, les avoirs déduits.')
  drawHeading(sheet, 2, 'Mois par mois')
  drawTable(
    sheet,
    [
      { head: 'Mois fourni', part: 20 },
      { head: 'Documents', part: 30 },
      { head: 'Énergie', part: 17, align: 'end' },
      { head: 'HT', part: 11, align: 'end' },
      { head: 'TVA', part: 10, align: 'end' },
      { head: 'TTC', part: 12, align: 'end' },
    ],
    [
      ...months.map(({ month, documents, wh, net, tax, gross }) => [
        capitalize(formatLongMonth(month)),
        documents.map(({ number }) => number).join(', '),
        formatWhAsKwh(wh),
        formatEuros(net),
        formatEuros(tax),
        formatEuros(gross),
      ]),
      [
        `Total ${year}`,
        '',
        formatWhAsKwh(totals.wh),
        formatEuros(totals.net),
        formatEuros(totals.tax),
        formatEuros(totals.gross),
      ],
    ],
    { total: true },
  )
  return closePdf(sheet, { title, brand })
}

/** Sales in a producer's name in a year, by month of issue, and what it owes the organiser. */
export async function buildProducerYearPdf(
  { seller, months, total }: ProducerYear,
  year: number,
  brand: Brand,
): Promise<Uint8Array> {
  const title = `Relevé annuel ${year}`
  const sheet = openPdf({ title, subject: seller, author: brand.name, createdAt: getCreationDate(year) })
  drawOpening(sheet, title, seller, 'Ventes émises en votre nom et frais de l’organisateur', brand)
  drawTiles(sheet, [
    toTile('Ventes TTC', formatFrenchDecimal(total.gross, 2), '€', COLOURS.sun),
    toTile('Frais TTC', formatFrenchDecimal(total.fees, 2), '€', COLOURS.night),
    toTile('Résultat', formatFrenchDecimal(total.gross - total.fees, 2), '€', COLOURS.surplus),
  ])
  drawParagraph(
    sheet,
    `${formatWhAsKwh(total.wh)} vendus, ${formatEuros(total.net)} HT et ${formatEuros(total.tax)} de TVA. Par mois d’émission, les avoirs déduits.`,
  )
  drawHeading(sheet, 2, 'Mois par mois')
  const sold = months.filter(({ documents }) => documents > 0)
  drawTable(
    sheet,
    [
      { head: 'Mois d’émission', part: 22 },
      { head: 'Énergie', part: 18, align: 'end' },
      { head: 'HT', part: 12, align: 'end' },
      { head: 'TVA', part: 12, align: 'end' },
      { head: 'TTC', part: 12, align: 'end' },
      { head: 'Frais TTC', part: 12, align: 'end' },
      { head: 'Résultat', part: 12, align: 'end' },
    ],
    [
      ...sold.map(({ month, sales, fee, result }) => [
        capitalize(formatLongMonth(month)),
        formatWhAsKwh(sales.wh),
        formatEuros(sales.net),
        formatEuros(sales.tax),
        formatEuros(sales.gross),
        formatEuros(fee.gross),
        formatEuros(result),
      ]),
      [
        `Total ${year}`,
        formatWhAsKwh(total.wh),
        formatEuros(total.net),
        formatEuros(total.tax),
        formatEuros(total.gross),
        formatEuros(total.fees),
        formatEuros(total.gross - total.fees),
      ],
    ],
    { total: true },
  )
  return closePdf(sheet, { title, brand })
}
