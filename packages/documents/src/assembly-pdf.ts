import type { Assembly } from '@voisol/contract/assembly'
import { drawLots } from './lots-pdf.ts'
import {
  formatEuros,
  formatFrenchDecimal,
  formatLongDay,
  formatPeriod,
  formatPricePerKwh,
} from './number-and-date-formats.ts'
import { drawBullets, drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf, type PdfWriter } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'

/** Watt-hours rounded to whole kWh; a screen may have fractions. */
const formatWholeKwh = (wh: number) => `${formatFrenchDecimal(Math.round(wh / 1000), 0)}\u00a0kWh`
const formatKwhOrDash = (wh: number | null) => (wh === null ? '—' : formatWholeKwh(wh))
const formatRate = (value: number | null) =>
  value === null
    ? '—'
    : new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 })
        .format(value)
        .replace(/\s/g, '\u00a0')
const formatEurosOrDash = (cents: number | null) => (cents === null ? '—' : formatEuros(cents))

function drawBuyers(sheet: PdfWriter, { buyers, totals, on }: Assembly) {
  drawHeading(sheet, 2, 'Qui a payé, qui a économisé')
  drawParagraph(
    sheet,
    `Facturé pour l’énergie de la période, avoirs déduits\u00a0; réglé et restant dû au ${formatLongDay(on)}. ${buyers.some(({ open }) => open < 0) ? 'Un reste négatif est à rendre. ' : ''}L’économie est hors taxes, face au prix du fournisseur.`,
  )
  drawTable(
    sheet,
    [
      { head: 'Participant', part: 30 },
      { head: 'Énergie locale', part: 16, align: 'end' },
      { head: 'Facturé TTC', part: 14, align: 'end' },
      { head: 'Réglé', part: 14, align: 'end' },
      { head: 'Reste dû', part: 13, align: 'end' },
      { head: 'Économie HT', part: 14, align: 'end' },
    ],
    [
      ...buyers.map((buyer) => [
        buyer.name,
        formatKwhOrDash(buyer.wh),
        formatEuros(buyer.billed),
        formatEuros(buyer.settled),
        formatEuros(buyer.open),
        formatEurosOrDash(buyer.saved),
      ]),
      [
        'Total',
        formatKwhOrDash(buyers.reduce<number | null>((sum, { wh }) => (wh === null ? sum : (sum ?? 0) + wh), null)),
        formatEuros(totals.billed),
        formatEuros(totals.settled),
        formatEuros(totals.open),
        formatEurosOrDash(totals.saved),
      ],
    ],
    { total: true },
  )
  if (totals.overdue > 0) drawParagraph(sheet, `Dont ${formatEuros(totals.overdue)} en retard.`)
}

function drawProducers(sheet: PdfWriter, { producers, earned, surplus, surplusPrice, energy }: Assembly) {
  drawHeading(sheet, 2, 'Ce que la toiture a rapporté')
  if (producers.length === 0) drawParagraph(sheet, 'Aucune vente n’a été facturée pour cette période.')
  else
    drawTable(
      sheet,
      [
        { head: 'Producteur', part: 30 },
        { head: 'Ventes HT', part: 15, align: 'end' },
        { head: 'TVA', part: 12, align: 'end' },
        { head: 'Ventes TTC', part: 15, align: 'end' },
        { head: 'Frais TTC', part: 14, align: 'end' },
        { head: 'Reste', part: 14, align: 'end' },
      ],
      [
        ...producers.map((one) => [
          one.name,
          formatEuros(one.net),
          formatEuros(one.tax),
          formatEuros(one.gross),
          formatEuros(one.fees),
          formatEuros(one.earned),
        ]),
        ['Total', '', '', '', '', formatEuros(earned)],
      ],
      { total: true },
    )
  if (energy)
    drawParagraph(
      sheet,
      surplus === null || surplusPrice === null
        ? `Surplus\u00a0: ${formatWholeKwh(energy.surplus)}, dont le prix n’est pas renseigné.`
        : `Surplus\u00a0: ${formatWholeKwh(energy.surplus)}, soit ${formatEuros(surplus)} hors taxes à ${formatPricePerKwh(surplusPrice)}, payés par son acheteur.`,
    )
}

/** A document for a general assembly: energy, payments, savings, income of the roof, and lots. */
export async function buildAssemblyPdf(pack: Assembly, brand: Brand): Promise<Uint8Array> {
  const { operation, from, to, energy, totals, earned, notes, lots } = pack
  const title = 'Dossier d’assemblée'
  const sheet = openPdf({ title, subject: operation.name, author: brand.name })
  drawOpening(sheet, title, operation.name, formatPeriod({ from, to }), brand)
  drawTiles(sheet, [
    { label: 'Facturé TTC', figure: formatFrenchDecimal(totals.billed, 2), unit: '€', colour: COLOURS.night },
    {
      label: 'Économie HT',
      figure: totals.saved === null ? '—' : formatFrenchDecimal(totals.saved, 2),
      unit: totals.saved === null ? '' : '€',
      colour: COLOURS.sun,
    },
    { label: 'Rapporté par la toiture', figure: formatFrenchDecimal(earned, 2), unit: '€', colour: COLOURS.surplus },
  ])
  if (energy)
    drawParagraph(
      sheet,
      `${formatWholeKwh(energy.produced)} produits, dont ${formatWholeKwh(energy.shared)} partagés et ${formatWholeKwh(energy.surplus)} de surplus. Autoconsommation ${formatRate(energy.selfConsumption)}, autoproduction ${formatRate(energy.selfProduction)}.`,
    )
  if (notes.length > 0) drawBullets(sheet, notes)
  drawBuyers(sheet, pack)
  drawProducers(sheet, pack)
  for (const charges of lots) {
    drawHeading(sheet, 2, `Charges par lot\u00a0: ${charges.buyer.name}`)
    drawLots(sheet, charges)
  }
  return closePdf(sheet, { title, brand })
}
