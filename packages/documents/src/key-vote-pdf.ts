import type { BetterKeyReport, KeyOutcome } from '@voisol/contract/insight-views'
import { formatEuros, formatFrenchDecimal, formatPeriod, formatPricePerKwh } from './number-and-date-formats.ts'
import { drawBullets, drawHeading, drawOpening, drawParagraph } from './pdf/blocks.ts'
import { closePdf, openPdf, type PdfWriter } from './pdf/document.ts'
import type { Brand } from './pdf/frame.ts'
import { COLOURS } from './pdf/style.ts'
import { drawTable, drawTiles } from './pdf/table.ts'

const formatWholeKwh = (wh: number) => `${formatFrenchDecimal(Math.round(wh / 1000), 0)}\u00a0kWh`
const formatShareOrDash = (value: number | null) =>
  value === null ? '—' : `${formatFrenchDecimal(Math.round(value * 1000), 1)}\u00a0%`
const formatIndex = (value: number) => formatFrenchDecimal(Math.round(value * 100), 2)
const formatEurosOrDash = (cents: number | null) => (cents === null ? '—' : formatEuros(cents))

function drawOffers(sheet: PdfWriter, { current, offers }: BetterKeyReport) {
  drawHeading(sheet, 2, 'Les clés comparées')
  drawParagraph(
    sheet,
    'Gini\u00a0: 0 quand tous ont la même couverture. Jain\u00a0: 1 quand tous ont la même. Le gain est celui des jours jugés.',
  )
  drawTable(
    sheet,
    [
      { head: 'Clé', part: 34 },
      { head: 'Utilisé', part: 11, align: 'end' },
      { head: 'Gain', part: 13, align: 'end' },
      { head: 'Gain HT', part: 13, align: 'end' },
      { head: 'Gini', part: 9, align: 'end' },
      { head: 'Jain', part: 9, align: 'end' },
      { head: 'Plus faible', part: 12, align: 'end' },
    ],
    [current, ...offers].map((one) => [
      one.proposed ? `${one.label} (proposée)` : one.label,
      formatShareOrDash(one.used),
      one.name === 'current' ? '—' : formatWholeKwh(one.more),
      one.name === 'current' ? '—' : formatEurosOrDash(one.cents),
      formatIndex(one.gini),
      formatIndex(one.jain),
      formatShareOrDash(one.least),
    ]),
  )
}

function drawMembers(sheet: PdfWriter, { current }: BetterKeyReport, offer: KeyOutcome) {
  drawHeading(sheet, 2, `Ce que chacun y gagne ou y perd\u00a0: ${offer.label}`)
  const before = new Map(current.members.map((member) => [member.pointId, member]))
  drawTable(
    sheet,
    [
      { head: 'Participant', part: 36 },
      { head: 'Couverture', part: 13, align: 'end' },
      { head: 'Proposée', part: 13, align: 'end' },
      { head: 'Prix moyen', part: 18, align: 'end' },
      { head: 'Écart HT', part: 14, align: 'end' },
    ],
    offer.members.map((member) => [
      member.name,
      formatShareOrDash(before.get(member.pointId)?.coverage ?? null),
      formatShareOrDash(member.coverage),
      member.price === null ? '—' : formatPricePerKwh(member.price),
      formatEurosOrDash(member.cents),
    ]),
  )
  const losers = offer.members.filter(({ cents, received, pointId }) =>
    cents === null ? received < (before.get(pointId)?.received ?? 0) : cents < 0,
  )
  drawParagraph(
    sheet,
    losers.length === 0
      ? 'Personne n’y perd sur ces jours.'
      : `Y perdent\u00a0: ${losers.map(({ name, cents }) => (cents === null ? name : `${name} (${formatEuros(cents)})`)).join(', ')}.`,
  )
}

/** The document for a vote on keys: the keys, who gains, who loses, and a space for the result. */
export async function buildKeyVotePdf(vote: BetterKeyReport, brand: Brand): Promise<Uint8Array> {
  const { operation, chosenOn, heldOut, offers, current, notes } = vote
  const title = 'Feuille de vote\u00a0: clé de répartition'
  const offer = offers.find(({ proposed }) => proposed) ?? offers[0]
  const sheet = openPdf({ title, subject: operation.name })
  drawOpening(sheet, title, operation.name, `Jugé ${formatPeriod(heldOut)}`, brand)
  drawTiles(sheet, [
    {
      label: 'Utilisé aujourd’hui',
      figure: formatFrenchDecimal(Math.round(current.used * 1000), 1),
      unit: '%',
      colour: COLOURS.night,
    },
    {
      label: 'Avec la clé comparée',
      figure: formatFrenchDecimal(Math.round((offer?.used ?? 0) * 1000), 1),
      unit: '%',
      colour: COLOURS.sun,
    },
    {
      label: 'Énergie en plus',
      figure: formatFrenchDecimal(Math.round((offer?.more ?? 0) / 1000), 0),
      unit: 'kWh',
      colour: COLOURS.surplus,
    },
  ])
  drawParagraph(
    sheet,
    `Les clés sont choisies sur les relevés ${formatPeriod(chosenOn)}, et jugées sur ceux ${formatPeriod(heldOut)}, qu’elles n’ont pas vus.`,
  )
  if (!offers.some(({ proposed }) => proposed))
    drawParagraph(
      sheet,
      'Aucune de ces clés ne gagne assez pour être proposée\u00a0: un point d’autoconsommation ou 50\u00a0€ par an.',
    )
  if (notes.length > 0) drawBullets(sheet, notes)
  drawOffers(sheet, vote)
  if (offer) drawMembers(sheet, vote, offer)
  drawHeading(sheet, 2, 'Résultat du vote')
  drawTable(
    sheet,
    [
      { head: 'Pour', part: 25 },
      { head: 'Contre', part: 25 },
      { head: 'Abstention', part: 25 },
      { head: 'Date et signature', part: 25 },
    ],
    [['……', '……', '……', '……………………']],
  )
  return closePdf(sheet, { title, brand })
}
