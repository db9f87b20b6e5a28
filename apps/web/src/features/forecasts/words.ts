import type { Forecast, ForecastAccuracy, ForecastHorizon, ForecastKind } from '@voisol/contract/forecasts'
import { dateTime, number, percent, plural } from '../../lib/format.ts'

export const KINDS: Record<ForecastKind, string> = {
  production: 'Production',
  consumption: 'Consommation',
  surplus: 'Surplus',
}
export const SPANS = { near: '48\u00a0heures', week: '7\u00a0jours' }
export const HORIZONS: Record<ForecastHorizon, string> = {
  first: '0 à 24\u00a0h',
  second: '24 à 48\u00a0h',
  later: 'Jours 3 à 7',
}

const RECIPES: Record<Forecast['recipe'], string> = {
  appris: 'apprise des relevés',
  modèle: 'modèle physique seul, ramené aux relevés',
  profil: 'profil des jours semblables',
}

export const recipeWords = ({ recipe, version, learntDays }: Forecast) =>
  `Recette ${version}, ${RECIPES[recipe]} (${plural(learntDays, 'jour')})`

/** With or without the announced weather, and what that costs. */
export function weatherWords({ kind, weatherIssuedAt, weatherSteps, middle, weatherConnected }: Forecast): string {
  if (kind === 'consumption') return 'Sans objet\u00a0: une consommation suit le profil de ses jours.'
  if (weatherIssuedAt === null)
    return weatherConnected
      ? 'Aucune prévision météo de moins de 24\u00a0h n’était connue\u00a0: historique seul.'
      : 'Sans météo\u00a0: l’historique seul ne gagne que 0 à 11\u00a0% sur la persistance. Connectez un fournisseur météo.'
  const whole = weatherSteps === middle.length ? '' : `, pour ${percent(weatherSteps / middle.length, 0)} des pas`
  return `Avec la météo annoncée le ${dateTime(weatherIssuedAt)}${whole}`
}

/** Worse than repeating the last known day. */
export const isWorse = ({ skill }: Pick<ForecastAccuracy, 'skill'>) => skill !== null && skill < 0
/** Eighty percent should be between seventy and ninety. */
export const isOff = ({ coverage }: Pick<ForecastAccuracy, 'coverage'>) =>
  coverage !== null && (coverage < 0.7 || coverage > 0.9)

export const signed = (ratio: number) => `${ratio > 0 ? '+' : ''}${number(ratio * 100, 1)}\u00a0%`.replace('-', '−')

/** What the figures are parts of. */
export const scaleWords = (kind: ForecastKind) =>
  kind === 'consumption' ? 'de la consommation mesurée' : 'de la puissance crête'
