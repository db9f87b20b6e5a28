import type { Coordinates } from '../model/climate.ts'
import type { PowerSeries, Step } from '../series/series.ts'
import type { BoostedTrees } from './trees.ts'

/** Weather as it was issued: hourly means over [t, t+60). `ghi` (W/m²) is required; NaN is a hole. */
export type IssuedWeather = { issuedAt: number; startsAt: number; step: 60; values: Record<string, ArrayLike<number>> }

export type ForecastOptions = {
  /** .1, .5 and .9 unless told. */
  levels?: number[]
  /** Days between issue and target that the model learns: 0 to 7 unless told. */
  leads?: number[]
  /** False: nothing measured lately is used. */
  lags?: boolean
  only?: 'weather' | 'history'
}

export type ForecastSource = 'weather' | 'history'
export type ForecastHistory = { series: PowerSeries; place: Coordinates; peakWatts?: number; weather?: IssuedWeather[] }
export type ForecastRequest = { issuedAt: number; startsAt: number; steps: number; step: Step }
/** Watts per level, lowest level first. */
export type PowerForecast = {
  startsAt: number
  step: Step
  levels: number[]
  values: Int32Array[]
  source: ForecastSource[]
}

export type LinearModel = { means: number[]; scales: number[]; weights: number[]; bias: number }

/** One way to forecast, with weather or without. */
export type ForecastPart = {
  /** Names of the weather beside ghi and dhi, in the order of the features. */
  fields: string[]
  weather: boolean
  lags: boolean
  linear: LinearModel
  /** One for each level. */
  trees: BoostedTrees[]
  leads: number[]
  /** Per lead, then per level: by how many widths of the band a level is moved. */
  shifts: number[][]
}

/** Plain JSON. `modèle`: too little history to learn from, the physical model alone, scaled to what was measured. */
export type ForecastModel = {
  version: 1
  kind: 'appris' | 'modèle'
  place: Coordinates
  peakWatts: number
  levels: number[]
  /** Days of the history on which something was measured by daylight. */
  days: number
  /** Largest output by the light of a cloudless sky: 366 days of the year × 24 hours UTC. */
  envelope: number[]
  /** Measured by modelled energy, under a cloudless sky and under the weather that was announced. */
  scale: { clear: number; weather: number | null }
  weather: ForecastPart | null
  history: ForecastPart | null
}

export const HOUR_MINUTES = 60
export const getDayOfHour = (hour: number): number => Math.floor(hour / 24)
