import { dayText } from '../../../lib/day-text.ts'
import { METHODS, PERIMETERS, VAT_MODES, ZONES } from '../../../lib/energy-labels.ts'
import { plural, power } from '../../../lib/format.ts'
import { parsePrice, price } from '../../../lib/price.ts'
import { type ConsumerRow, type Draft, isBattery, isBlank } from './draft.ts'
import { powerOf } from './perimeter.ts'
import { percentText, sumOfShares } from './shares.ts'

export type Fact = { label: string; value: string }
const NONE = 'Non renseigné'
const fact = (label: string, value: string): Fact => ({ label, value: value.trim() || NONE })

export const peakPower = (watts: number) => power(watts).replace(/W$/, 'Wc')
const filled = (rows: { name: string; prm: string }[]) => rows.filter((row) => !isBlank(row)).length

/** « 12 consommateurs et 1 batterie ». */
export function consumersWords(rows: ConsumerRow[]): string {
  const batteries = filled(rows.filter(isBattery))
  const homes = plural(filled(rows) - batteries, 'consommateur')
  return batteries ? `${homes} et ${plural(batteries, 'batterie')}` : homes
}

const priceWords = (draft: Draft) => {
  const value = parsePrice(draft.price)
  return value === null ? '' : price(value)
}
const keyText = (draft: Draft) => {
  const fixed = draft.method === 'static' || draft.method === 'redistributed'
  return METHODS[draft.method].label + (fixed ? `, ${percentText(sumOfShares(draft.consumers))} répartis` : '')
}

/** What the draft says, step by step. */
export const factsOf = (draft: Draft): { step: number; title: string; facts: Fact[] }[] => {
  const { watts } = powerOf(draft)
  return [
    {
      step: 0,
      title: 'Identité',
      facts: [fact('Nom', draft.name), fact('Numéro ACC', draft.accNumber), fact('Début', dayText(draft.startsOn))],
    },
    {
      step: 1,
      title: 'Organisateur',
      facts: [fact('Dénomination', draft.pmoName), fact('SIREN', draft.pmoSiren)],
    },
    {
      step: 2,
      title: 'Périmètre',
      facts: [
        fact('Adresse', [draft.address, `${draft.postalCode} ${draft.city}`.trim()].filter(Boolean).join(', ')),
        fact('Type', PERIMETERS[draft.perimeter]),
        fact('Zone', ZONES[draft.zone]),
        fact('Puissance', watts > 0 ? peakPower(watts) : ''),
      ],
    },
    { step: 3, title: 'Producteurs', facts: [fact('Saisis', plural(filled(draft.producers), 'producteur'))] },
    { step: 4, title: 'Consommateurs', facts: [fact('Saisis', consumersWords(draft.consumers))] },
    { step: 5, title: 'Clé de répartition', facts: [fact('Méthode', keyText(draft))] },
    {
      step: 6,
      title: 'Tarif',
      facts: [
        fact('Prix hors taxes', priceWords(draft)),
        fact('TVA', VAT_MODES[draft.vatMode]),
        fact('Surplus vendu à', draft.surplusBuyer),
      ],
    },
  ]
}
