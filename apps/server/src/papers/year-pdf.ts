import type { invoices } from '@voisol/contract/invoices'
import type { statements } from '@voisol/contract/statements'
import type { z } from 'zod'
import { heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'
import { euros, frenchDecimal, kwh } from './decimals.ts'
import { monthWords } from './words.ts'

type ParticipantYear = z.output<typeof invoices.annual.response>
type ProducerYear = z.output<typeof statements.year.response>

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const tile = (label: string, figure: string, unit: string, colour: string) => ({ label, figure, unit, colour })
/** The same paper whenever it is made: its day is the last of its year. */
const madeOf = (year: number) => new Date(`${year}-12-31T12:00:00Z`)

/** What a participant was supplied and invoiced in a year, by month supplied, with every document. */
export async function participantYearPdf(
  { buyer, year, months, totals }: ParticipantYear,
  brand: Brand,
): Promise<Uint8Array> {
  const title = `Relevé annuel ${year}`
  const sheet = openSheet({ title, subject: buyer.name, author: brand.name, createdAt: madeOf(year) })
  opening(sheet, title, buyer.name, 'Énergie locale fournie et facturée', brand)
  tiles(sheet, [
    tile('Énergie locale', frenchDecimal(totals.wh, 3), 'kWh', COLOURS.sun),
    tile('Montant HT', frenchDecimal(totals.net, 2), '€', COLOURS.night),
    tile('Montant TTC', frenchDecimal(totals.gross, 2), '€', COLOURS.surplus),
  ])
  paragraph(sheet, 'Par mois fourni, les corrections avec le mois qu’elles corrigent, les avoirs déduits.')
  heading(sheet, 2, 'Mois par mois')
  table(
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
        capital(monthWords(month)),
        documents.map(({ number }) => number).join(', '),
        kwh(wh),
        euros(net),
        euros(tax),
        euros(gross),
      ]),
      [`Total ${year}`, '', kwh(totals.wh), euros(totals.net), euros(totals.tax), euros(totals.gross)],
    ],
    { total: true },
  )
  return closeSheet(sheet, { title, brand })
}

/** What was sold in a producer's name in a year, by month of issue, and what it owes the organiser. */
export async function producerYearPdf(
  { seller, months, total }: ProducerYear,
  year: number,
  brand: Brand,
): Promise<Uint8Array> {
  const title = `Relevé annuel ${year}`
  const sheet = openSheet({ title, subject: seller, author: brand.name, createdAt: madeOf(year) })
  opening(sheet, title, seller, 'Ventes émises en votre nom et frais de l’organisateur', brand)
  tiles(sheet, [
    tile('Ventes TTC', frenchDecimal(total.gross, 2), '€', COLOURS.sun),
    tile('Frais TTC', frenchDecimal(total.fees, 2), '€', COLOURS.night),
    tile('Résultat', frenchDecimal(total.gross - total.fees, 2), '€', COLOURS.surplus),
  ])
  paragraph(
    sheet,
    `${kwh(total.wh)} vendus, ${euros(total.net)} HT et ${euros(total.tax)} de TVA. Par mois d’émission, les avoirs déduits.`,
  )
  heading(sheet, 2, 'Mois par mois')
  const sold = months.filter(({ documents }) => documents > 0)
  table(
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
        capital(monthWords(month)),
        kwh(sales.wh),
        euros(sales.net),
        euros(sales.tax),
        euros(sales.gross),
        euros(fee.gross),
        euros(result),
      ]),
      [
        `Total ${year}`,
        kwh(total.wh),
        euros(total.net),
        euros(total.tax),
        euros(total.gross),
        euros(total.fees),
        euros(total.gross - total.fees),
      ],
    ],
    { total: true },
  )
  return closeSheet(sheet, { title, brand })
}
