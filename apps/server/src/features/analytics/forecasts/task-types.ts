import type { ForecastModel, ForecastOptions, IssuedWeather } from '@voisol/energy/forecast'
import type { Coordinates } from '@voisol/energy/model/climate'
import type { PowerSeries, Step } from '@voisol/energy/series'

const FORECAST_KINDS = ['production', 'consumption', 'surplus'] as const
export type IssueKind = (typeof FORECAST_KINDS)[number]
export const FORECAST_SPANS = ['near', 'week'] as const
export type IssueSpan = (typeof FORECAST_SPANS)[number]

/** Two days at the meters' step, seven by hour. */
export const DAYS_BY_SPAN: Record<IssueSpan, number> = { near: 2, week: 7 }

/** Past median forecasts of production minus consumption, from the start of their issue day. */
export type PastNetForecast = { span: IssueSpan; startsAt: number; step: Step; net: Float64Array }

/** A past week of production forecasts before adjustment, level by level, from the start of its issue day. */
export type PastBandValues = { startsAt: number; levels: number[]; values: Int32Array }

/** One forecast to make: its data ends with the day before. */
export type IssueRequest = { day: string; issuedAt: number; run: IssuedWeather | null }

export type IssueInput = {
  place: Coordinates
  peakWatts: number
  step: Step
  /** Production by hour, over the whole fit period. */
  hours: PowerSeries
  /** Recent production at the meters' step. */
  fine: PowerSeries
  /** Consumption at the meters' step; null for a plant. */
  load: PowerSeries | null
  /** Weather forecasts as issued, one run a day. */
  runs: IssuedWeather[]
  /** An existing model, which is then not fitted again. */
  model: ForecastModel | null
  /** The first day excluded from the fit. */
  fitOn: string
  /** Reduces the data to fit, to save time. */
  fit?: ForecastOptions | undefined
  said: PastNetForecast[]
  bands: PastBandValues[]
  asks: IssueRequest[]
}

export type IssuedForecast = {
  day: string
  kind: IssueKind
  span: IssueSpan
  issuedAt: number
  knownUntil: number | null
  startsAt: number
  step: Step
  steps: number
  levels: number[]
  /** Level by level. */
  values: Int32Array
  /** The values before the band was adjusted, or null when it was not. */
  learnt: Int32Array | null
  persistence: Int32Array
  source: Uint8Array
  chance: Uint8Array | null
  recipe: 'appris' | 'modèle' | 'profil'
  learntDays: number
  weatherIssuedAt: number | null
}
export type IssueOutput = { model: ForecastModel; issues: IssuedForecast[] }
