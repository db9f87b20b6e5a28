import type { Assembly } from '@voisol/contract/assembly'
import { bullets, heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet, type Sheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'
import { centsPerKwh, euros, frenchDecimal } from './decimals.ts'
import { drawLots } from './lots-pdf.ts'
import { longDay, spanWords } from './words.ts'

/** Watt-hours of a screen, which may hold parts of one, as whole kWh. */
const kwhText = (wh: number) => `${frenchDecimal(Math.round(wh / 1000), 0)}\u00a0kWh`
const kwhOr = (wh: number | null) => (wh === null ? '—' : kwhText(wh))
const rate = (value: number | null) =>
  value === null
    ? '—'
    : new Intl.NumberFormat('fr-FR', { style: 'percent', maximumFractionDigits: 1 })
        .format(value)
        .replace(/\s/g, '\u00a0')
const centsOr = (cents: number | null) => (cents === null ? '—' : euros(cents))

function drawPaid(sheet: Sheet, { buyers, totals, on }: Assembly) {
  heading(sheet, 2, 'Qui a payé, qui a économisé')
  paragraph(
    sheet,
    `Facturé pour l’énergie de la période, avoirs déduits\u00a0; réglé et restant dû au ${longDay(on)}. ${buyers.some(({ open }) => open < 0) ? 'Un reste négatif est à rendre. ' : ''}L’économie est hors taxes, face au prix du fournisseur.`,
  )
  table(
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
        kwhOr(buyer.wh),
        euros(buyer.billed),
        euros(buyer.settled),
        euros(buyer.open),
        centsOr(buyer.saved),
      ]),
      [
        'Total',
        kwhOr(buyers.reduce<number | null>((sum, { wh }) => (wh === null ? sum : (sum ?? 0) + wh), null)),
        euros(totals.billed),
        euros(totals.settled),
        euros(totals.open),
        centsOr(totals.saved),
      ],
    ],
    { total: true },
  )
  if (totals.overdue > 0) paragraph(sheet, `Dont ${euros(totals.overdue)} en retard.`)
}

function drawEarned(sheet: Sheet, { producers, earned, surplus, surplusPrice, energy }: Assembly) {
  heading(sheet, 2, 'Ce que la toiture a rapporté')
  if (producers.length === 0) paragraph(sheet, 'Aucune vente n’a été facturée pour cette période.')
  else
    table(
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
          euros(one.net),
          euros(one.tax),
          euros(one.gross),
          euros(one.fees),
          euros(one.earned),
        ]),
        ['Total', '', '', '', '', euros(earned)],
      ],
      { total: true },
    )
  if (energy)
    paragraph(
      sheet,
      surplus === null || surplusPrice === null
        ? `Surplus\u00a0: ${kwhText(energy.surplus)}, dont le prix n’est pas renseigné.`
        : `Surplus\u00a0: ${kwhText(energy.surplus)}, soit ${euros(surplus)} hors taxes à ${centsPerKwh(surplusPrice)}, payés par son acheteur.`,
    )
}

/** One paper for an assembly: the energy, who paid, who saved, what the roof earned, and the lots. */
export async function assemblyPdf(pack: Assembly, brand: Brand): Promise<Uint8Array> {
  const { operation, from, to, energy, totals, earned, notes, lots } = pack
  const title = 'Dossier d’assemblée'
  const sheet = openSheet({ title, subject: operation.name, author: brand.name })
  opening(sheet, title, operation.name, spanWords({ from, to }), brand)
  tiles(sheet, [
    { label: 'Facturé TTC', figure: frenchDecimal(totals.billed, 2), unit: '€', colour: COLOURS.night },
    {
      label: 'Économie HT',
      figure: totals.saved === null ? '—' : frenchDecimal(totals.saved, 2),
      unit: totals.saved === null ? '' : '€',
      colour: COLOURS.sun,
    },
    { label: 'Rapporté par la toiture', figure: frenchDecimal(earned, 2), unit: '€', colour: COLOURS.surplus },
  ])
  if (energy)
    paragraph(
      sheet,
      `${kwhText(energy.produced)} produits, dont ${kwhText(energy.shared)} partagés et ${kwhText(energy.surplus)} de surplus. Autoconsommation ${rate(energy.selfConsumption)}, autoproduction ${rate(energy.selfProduction)}.`,
    )
  if (notes.length > 0) bullets(sheet, notes)
  drawPaid(sheet, pack)
  drawEarned(sheet, pack)
  for (const charges of lots) {
    heading(sheet, 2, `Charges par lot\u00a0: ${charges.buyer.name}`)
    drawLots(sheet, charges)
  }
  return closeSheet(sheet, { title, brand })
}
