import type { WithheldAmount } from '@voisol/contract/corrections'
import { formatCount, formatFrenchMonth } from '../../../french.ts'
import { formatEuros, formatWhAsKwh } from '../../../papers/decimals.ts'

const formatMonths = (items: WithheldAmount[]) =>
  [...new Set(items.map(({ month }) => month))]
    .sort()
    .map((month) => formatFrenchMonth(month))
    .join(', ')
const sumFigure = (items: WithheldAmount[], figure: 'gross' | 'wh') =>
  items.reduce((sum, item) => sum + item[figure], 0)
const countBuyers = (items: WithheldAmount[]) => new Set(items.map(({ buyerId }) => buyerId)).size

/** « 0,12 € à ajouter », « 0,12 € à rendre »: the direction is written in words instead of a sign. */
function formatAmounts(items: WithheldAmount[]): string {
  const more = sumFigure(
    items.filter(({ gross }) => gross > 0),
    'gross',
  )
  const less = -sumFigure(
    items.filter(({ gross }) => gross < 0),
    'gross',
  )
  const parts = [
    ...(more ? [`${formatEuros(more)} à ajouter`] : []),
    ...(less ? [`${formatEuros(less)} à rendre`] : []),
  ]
  return parts.join(' et ')
}

const formatEnergy = (items: WithheldAmount[]) => {
  const wh = items.reduce((sum, item) => sum + Math.abs(item.wh), 0)
  return wh ? ` (${formatWhAsKwh(wh)})` : ''
}

export const buildWithheldMessage = (items: WithheldAmount[], thresholdCents: number): string =>
  `Centimes retenus pour ${formatCount(countBuyers(items), 'acheteur', 'acheteurs')} (${formatMonths(items)})\u00a0: ${formatAmounts(items)}${formatEnergy(items)}. ` +
  `C’est moins de ${formatEuros(thresholdCents)} par vendeur et acheteur, trop peu pour un document\u00a0: ils seront repris par la prochaine régularisation, au départ de l’acheteur ou à la fin de l’année.`

export const buildBarredMessage = (items: WithheldAmount[], claimMonths: number): string =>
  `${formatEuros(sumFigure(items, 'gross'))}${formatEnergy(items)} ne sont pas réclamés à ${formatCount(countBuyers(items), 'particulier', 'particuliers')} (${formatMonths(items)})\u00a0: après ${claimMonths} mois, une consommation ne peut plus leur être facturée.`
