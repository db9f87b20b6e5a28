import type { ForecastModel, ForecastOptions, IssuedWeather } from '@voisol/energy/forecast'
import type { Coordinates } from '@voisol/energy/model/climate'
import type { PowerSeries, Step } from '@voisol/energy/series'

export const FORECAST_KINDS = ['production', 'consumption', 'surplus'] as const
export type IssueKind = (typeof FORECAST_KINDS)[number]
export const FORECAST_SPANS = ['near', 'week'] as const
export type IssueSpan = (typeof FORECAST_SPANS)[number]

/** Two days at the step of the meters, seven by hour. */
export const DAYS_BY_SPAN: Record<IssueSpan, number> = { near: 2, week: 7 }

/** Middles as they were issued: production less consumption, from the start of the day of issue. */
export type PastNetForecast = { span: IssueSpan; startsAt: number; step: Step; net: Float64Array }

/** A week of production as it was learnt, level after level, from the start of the day of issue. */
export type PastBandValues = { startsAt: number; levels: number[]; values: Int32Array }

/** One issue: what is known when it is made ends with the day before. */
export type IssueRequest = { day: string; issuedAt: number; run: IssuedWeather | null }

export type IssueInput = {
  place: Coordinates
  peakWatts: number
  step: Step
  /** Production by hour, as far back as it is learnt from. */
  hours: PowerSeries
  /** The same at the step of the meters, of late. */
  fine: PowerSeries
  /** Consumption at the step of the meters; null for a plant. */
  load: PowerSeries | null
  /** Weather as it was issued, a run a day. */
  runs: IssuedWeather[]
  /** Given: it is not learnt anew. */
  model: ForecastModel | null
  /** The first day that the fit must know nothing of. */
  fitOn: string
  /** What is learnt less of, where there is no time for all of it. */
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
  /** Level after level. */
  values: Int32Array
  /** The same as it was learnt, where the edges of the band were moved since. */
  learnt: Int32Array | null
  persistence: Int32Array
  source: Uint8Array
  chance: Uint8Array | null
  recipe: 'appris' | 'modèle' | 'profil'
  learntDays: number
  weatherIssuedAt: number | null
}
export type IssueOutput = { model: ForecastModel; issues: IssuedForecast[] }
