import type { HeldCents } from '@voisol/contract/corrections'
import { frenchMonth, plural } from '../../../french.ts'
import { euros, kwh } from '../../../papers/decimals.ts'

const monthsOf = (items: HeldCents[]) =>
  [...new Set(items.map(({ month }) => month))]
    .sort()
    .map((month) => frenchMonth(month))
    .join(', ')
const sumOf = (items: HeldCents[], figure: 'gross' | 'wh') => items.reduce((sum, item) => sum + item[figure], 0)
const buyersOf = (items: HeldCents[]) => new Set(items.map(({ buyerId }) => buyerId)).size

/** « 0,12 € à ajouter », « 0,12 € à rendre »: signs say less than words. */
function amountsOf(items: HeldCents[]): string {
  const more = sumOf(
    items.filter(({ gross }) => gross > 0),
    'gross',
  )
  const less = -sumOf(
    items.filter(({ gross }) => gross < 0),
    'gross',
  )
  const parts = [...(more ? [`${euros(more)} à ajouter`] : []), ...(less ? [`${euros(less)} à rendre`] : [])]
  return parts.join(' et ')
}

const energyOf = (items: HeldCents[]) => {
  const wh = items.reduce((sum, item) => sum + Math.abs(item.wh), 0)
  return wh ? ` (${kwh(wh)})` : ''
}

export const heldSentence = (items: HeldCents[], thresholdCents: number): string =>
  `Centimes retenus pour ${plural(buyersOf(items), 'acheteur', 'acheteurs')} (${monthsOf(items)})\u00a0: ${amountsOf(items)}${energyOf(items)}. ` +
  `C’est moins de ${euros(thresholdCents)} par vendeur et acheteur, trop peu pour un document\u00a0: ils seront repris par la prochaine régularisation, au départ de l’acheteur ou à la fin de l’année.`

export const barredSentence = (items: HeldCents[], claimMonths: number): string =>
  `${euros(sumOf(items, 'gross'))}${energyOf(items)} ne sont pas réclamés à ${plural(buyersOf(items), 'particulier', 'particuliers')} (${monthsOf(items)})\u00a0: après ${claimMonths} mois, une consommation ne peut plus leur être facturée.`
