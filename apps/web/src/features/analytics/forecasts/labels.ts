import type { ForecastAccuracy, ForecastHorizon, ForecastKind } from '@voisol/contract/forecasts'
import { formatKwh, formatNumber } from '../../../lib/format.ts'

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

/** Worse than repeating the last known day. */
export const isWorseThanPersistence = ({ skill }: Pick<ForecastAccuracy, 'skill'>) => skill !== null && skill < 0
/** Eighty percent should be between seventy and ninety. */
export const isCoverageOff = ({ coverage }: Pick<ForecastAccuracy, 'coverage'>) =>
  coverage !== null && (coverage < 0.7 || coverage > 0.9)

export const formatSignedPercent = (ratio: number) =>
  `${ratio > 0 ? '+' : ''}${formatNumber(ratio * 100, 1)}\u00a0%`.replace('-', '−')

/** Kilowatt-hours, as fine as their size asks for. */
export const formatForecastEnergy = (wattHours: number | null): string =>
  wattHours === null ? '—' : formatKwh(wattHours / 1000, wattHours < 100_000 ? 1 : 0)
