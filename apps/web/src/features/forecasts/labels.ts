import type { Forecast, ForecastAccuracy, ForecastHorizon, ForecastKind } from '@voisol/contract/forecasts'
import { formatCount, formatDateTime, formatKwh, formatNumber, formatPercent } from '../../lib/format.ts'

export const FORECAST_KIND_LABELS: Record<ForecastKind, string> = {
  production: 'Production',
  consumption: 'Consommation',
  surplus: 'Surplus',
}
export const FORECAST_SPAN_LABELS = { near: '48\u00a0heures', week: '7\u00a0jours' }
export const HORIZON_LABELS: Record<ForecastHorizon, string> = {
  first: '0 à 24\u00a0h',
  second: '24 à 48\u00a0h',
  later: 'Jours 3 à 7',
}

const RECIPE_LABELS: Record<Forecast['recipe'], string> = {
  appris: 'apprise des relevés',
  modèle: 'modèle physique seul, ramené aux relevés',
  profil: 'profil des jours semblables',
}

export const describeRecipe = ({ recipe, version, learntDays }: Forecast) =>
  `Recette ${version}, ${RECIPE_LABELS[recipe]} (${formatCount(learntDays, 'jour')})`

/** With or without the announced weather, and what that costs. */
export function describeWeather({ kind, weatherIssuedAt, weatherSteps, middle, weatherConnected }: Forecast): string {
  if (kind === 'consumption') return 'Sans objet\u00a0: une consommation suit le profil de ses jours.'
  if (weatherIssuedAt === null)
    return weatherConnected
      ? 'Aucune prévision météo de moins de 24\u00a0h n’était connue\u00a0: historique seul.'
      : 'Sans météo\u00a0: l’historique seul ne gagne que 0 à 11\u00a0% sur la persistance. Connectez un fournisseur météo.'
  const coverageNote =
    weatherSteps === middle.length ? '' : `, pour ${formatPercent(weatherSteps / middle.length, 0)} des pas`
  return `Avec la météo annoncée le ${formatDateTime(weatherIssuedAt)}${coverageNote}`
}

/** Worse than repeating the last known day. */
export const isWorseThanPersistence = ({ skill }: Pick<ForecastAccuracy, 'skill'>) => skill !== null && skill < 0
/** Eighty percent should be between seventy and ninety. */
export const isCoverageOff = ({ coverage }: Pick<ForecastAccuracy, 'coverage'>) =>
  coverage !== null && (coverage < 0.7 || coverage > 0.9)

export const formatSignedPercent = (ratio: number) =>
  `${ratio > 0 ? '+' : ''}${formatNumber(ratio * 100, 1)}\u00a0%`.replace('-', '−')

/** What the figures are parts of. */
export const describeScale = (kind: ForecastKind) =>
  kind === 'consumption' ? 'de la consommation mesurée' : 'de la puissance crête'

/** Kilowatt-hours, as fine as their size asks for. */
export const formatForecastEnergy = (wattHours: number | null): string =>
  wattHours === null ? '—' : formatKwh(wattHours / 1000, wattHours < 100_000 ? 1 : 0)
