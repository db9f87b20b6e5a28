import type { KeyOutcome, KeyVote } from '@voisol/contract/insight-views'
import { bullets, heading, opening, paragraph } from '../pdf/blocks.ts'
import { closeSheet, openSheet, type Sheet } from '../pdf/document.ts'
import type { Brand } from '../pdf/frame.ts'
import { COLOURS } from '../pdf/look.ts'
import { table } from '../pdf/table.ts'
import { tiles } from '../pdf/tiles.ts'
import { centsPerKwh, euros, frenchDecimal } from './decimals.ts'
import { spanWords } from './words.ts'

const kwhText = (wh: number) => `${frenchDecimal(Math.round(wh / 1000), 0)}\u00a0kWh`
const part = (value: number | null) => (value === null ? '—' : `${frenchDecimal(Math.round(value * 1000), 1)}\u00a0%`)
const index = (value: number) => frenchDecimal(Math.round(value * 100), 2)
const centsOr = (cents: number | null) => (cents === null ? '—' : euros(cents))

function drawOffers(sheet: Sheet, { current, offers }: KeyVote) {
  heading(sheet, 2, 'Les clés comparées')
  paragraph(
    sheet,
    'Gini\u00a0: 0 quand tous ont la même couverture. Jain\u00a0: 1 quand tous ont la même. Le gain est celui des jours jugés.',
  )
  table(
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
      part(one.used),
      one.name === 'current' ? '—' : kwhText(one.more),
      one.name === 'current' ? '—' : centsOr(one.cents),
      index(one.gini),
      index(one.jain),
      part(one.least),
    ]),
  )
}

function drawMembers(sheet: Sheet, { current }: KeyVote, offer: KeyOutcome) {
  heading(sheet, 2, `Ce que chacun y gagne ou y perd\u00a0: ${offer.label}`)
  const before = new Map(current.members.map((member) => [member.pointId, member]))
  table(
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
      part(before.get(member.pointId)?.coverage ?? null),
      part(member.coverage),
      member.price === null ? '—' : centsPerKwh(member.price),
      centsOr(member.cents),
    ]),
  )
  const losers = offer.members.filter(({ cents, received, pointId }) =>
    cents === null ? received < (before.get(pointId)?.received ?? 0) : cents < 0,
  )
  paragraph(
    sheet,
    losers.length === 0
      ? 'Personne n’y perd sur ces jours.'
      : `Y perdent\u00a0: ${losers.map(({ name, cents }) => (cents === null ? name : `${name} (${euros(cents)})`)).join(', ')}.`,
  )
}

/** What an assembly votes on: the keys, who gains, who loses, and a place for the result. */
export async function keyVotePdf(vote: KeyVote, brand: Brand): Promise<Uint8Array> {
  const { operation, chosenOn, heldOut, offers, current, notes } = vote
  const title = 'Feuille de vote\u00a0: clé de répartition'
  const offer = offers.find(({ proposed }) => proposed) ?? offers[0]
  const sheet = openSheet({ title, subject: operation.name })
  opening(sheet, title, operation.name, `Jugé ${spanWords(heldOut)}`, brand)
  tiles(sheet, [
    {
      label: 'Utilisé aujourd’hui',
      figure: frenchDecimal(Math.round(current.used * 1000), 1),
      unit: '%',
      colour: COLOURS.night,
    },
    {
      label: 'Avec la clé comparée',
      figure: frenchDecimal(Math.round((offer?.used ?? 0) * 1000), 1),
      unit: '%',
      colour: COLOURS.sun,
    },
    {
      label: 'Énergie en plus',
      figure: frenchDecimal(Math.round((offer?.more ?? 0) / 1000), 0),
      unit: 'kWh',
      colour: COLOURS.surplus,
    },
  ])
  paragraph(
    sheet,
    `Les clés sont choisies sur les relevés ${spanWords(chosenOn)}, et jugées sur ceux ${spanWords(heldOut)}, qu’elles n’ont pas vus.`,
  )
  if (!offers.some(({ proposed }) => proposed))
    paragraph(
      sheet,
      'Aucune de ces clés ne gagne assez pour être proposée\u00a0: un point d’autoconsommation ou 50\u00a0€ par an.',
    )
  if (notes.length > 0) bullets(sheet, notes)
  drawOffers(sheet, vote)
  if (offer) drawMembers(sheet, vote, offer)
  heading(sheet, 2, 'Résultat du vote')
  table(
    sheet,
    [
      { head: 'Pour', part: 25 },
      { head: 'Contre', part: 25 },
      { head: 'Abstention', part: 25 },
      { head: 'Date et signature', part: 25 },
    ],
    [['……', '……', '……', '……………………']],
  )
  return closeSheet(sheet, { title, brand })
}
