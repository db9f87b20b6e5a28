import type { LotCharges } from '@voisol/contract/lots'
import { formatEuros, formatFrenchDecimal, formatPeriod, formatWhAsKwh } from './number-and-date-formats.ts'
import { drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf, type PdfWriter } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'

const SPREAD_LABELS = {
  share: 'Répartie selon les tantièmes de chaque lot',
  lot: 'Répartie à parts égales entre les lots',
}
const formatWhole = (count: number) => formatFrenchDecimal(count, 0)

/** Every lot with its charge, and the documents it comes from. */
export function drawLots(sheet: PdfWriter, { by, documents, lots, shares, wh, gross }: LotCharges) {
  const numbers = documents.map(({ number }) => number).join(', ')
  drawParagraph(
    sheet,
    documents.length === 0
      ? 'Rien n’a été facturé pour cette période.'
      : `${SPREAD_LABELS[by]}, au centime près\u00a0: la somme des lots est celle des documents ${numbers}.`,
  )
  drawTable(
    sheet,
    [
      { head: 'Lot', part: 12 },
      { head: 'Nom', part: 36 },
      { head: 'Tantièmes', part: 14, align: 'end' },
      { head: 'Énergie locale', part: 20, align: 'end' },
      { head: 'Charge TTC', part: 18, align: 'end' },
    ],
    [
      ...lots.map((lot) => [
        lot.number,
        lot.holder || '—',
        formatWhole(lot.shares),
        formatWhAsKwh(lot.wh),
        formatEuros(lot.gross),
      ]),
      ['Total', '', formatWhole(shares), formatWhAsKwh(wh), formatEuros(gross)],
    ],
    { total: true },
  )
}

/** The charges of a co-ownership or a landlord, lot by lot, for those who collect them. */
export async function buildLotsPdf(charges: LotCharges, brand: Brand): Promise<Uint8Array> {
  const { buyer, from, to, lots, wh, gross } = charges
  const title = 'Charges d’énergie par lot'
  const sheet = openPdf({ title, subject: buyer.name, author: brand.name })
  drawOpening(sheet, title, buyer.name, formatPeriod({ from, to }), brand)
  drawTiles(sheet, [
    { label: 'Énergie locale', figure: formatFrenchDecimal(wh, 3), unit: 'kWh', colour: COLOURS.sun },
    { label: 'Charge TTC', figure: formatFrenchDecimal(gross, 2), unit: '€', colour: COLOURS.night },
    { label: lots.length > 1 ? 'Lots' : 'Lot', figure: formatWhole(lots.length), unit: '', colour: COLOURS.surplus },
  ])
  drawHeading(sheet, 2, 'Lot par lot')
  drawLots(sheet, charges)
  return closePdf(sheet, { title, brand })
}
