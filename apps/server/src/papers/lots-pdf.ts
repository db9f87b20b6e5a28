import type { LotCharges } from '@voisol/contract/lots'
import { heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet, type Sheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'
import { euros, frenchDecimal, kwh } from './decimals.ts'
import { spanWords } from './words.ts'

const SAID = {
  share: 'Répartie selon les tantièmes de chaque lot',
  lot: 'Répartie à parts égales entre les lots',
}
const whole = (count: number) => frenchDecimal(count, 0)

/** Every lot with what it bears, and the documents it comes from. */
export function drawLots(sheet: Sheet, { by, documents, lots, shares, wh, gross }: LotCharges) {
  const numbers = documents.map(({ number }) => number).join(', ')
  paragraph(
    sheet,
    documents.length === 0
      ? 'Rien n’a été facturé pour cette période.'
      : `${SAID[by]}, au centime près\u00a0: la somme des lots est celle des documents ${numbers}.`,
  )
  table(
    sheet,
    [
      { head: 'Lot', part: 12 },
      { head: 'Nom', part: 36 },
      { head: 'Tantièmes', part: 14, align: 'end' },
      { head: 'Énergie locale', part: 20, align: 'end' },
      { head: 'Charge TTC', part: 18, align: 'end' },
    ],
    [
      ...lots.map((lot) => [lot.number, lot.holder || '—', whole(lot.shares), kwh(lot.wh), euros(lot.gross)]),
      ['Total', '', whole(shares), kwh(wh), euros(gross)],
    ],
    { total: true },
  )
}

/** The charges of a co-ownership or a landlord, lot by lot, for whoever calls them in. */
export async function lotsPdf(charges: LotCharges, brand: Brand): Promise<Uint8Array> {
  const { buyer, from, to, lots, wh, gross } = charges
  const title = 'Charges d’énergie par lot'
  const sheet = openSheet({ title, subject: buyer.name, author: brand.name })
  opening(sheet, title, buyer.name, spanWords({ from, to }), brand)
  tiles(sheet, [
    { label: 'Énergie locale', figure: frenchDecimal(wh, 3), unit: 'kWh', colour: COLOURS.sun },
    { label: 'Charge TTC', figure: frenchDecimal(gross, 2), unit: '€', colour: COLOURS.night },
    { label: lots.length > 1 ? 'Lots' : 'Lot', figure: whole(lots.length), unit: '', colour: COLOURS.surplus },
  ])
  heading(sheet, 2, 'Lot par lot')
  drawLots(sheet, charges)
  return closeSheet(sheet, { title, brand })
}
