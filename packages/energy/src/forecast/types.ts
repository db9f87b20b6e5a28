import type { Coordinates } from '../model/climate.ts'
import type { PowerSeries, Step } from '../series/series.ts'
import type { BoostedTrees } from './boosted-trees.ts'

/** Weather as issued: hourly means over [t, t+60). `ghi` (W/m²) is required; NaN is a missing value. */
export type IssuedWeather = { issuedAt: number; startsAt: number; step: 60; values: Record<string, ArrayLike<number>> }

export type ForecastOptions = {
  /** .1, .5 and .9 by default. */
  levels?: number[]
  /** Days between issue and target that the model learns: 0 to 7 by default. */
  leads?: number[]
  /** False: recent measures are not used. */
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
  /** Weather fields beside ghi and dhi, in the order of the features. */
  fields: string[]
  weather: boolean
  lags: boolean
  linear: LinearModel
  /** One for each level. */
  trees: BoostedTrees[]
  leads: number[]
  /** Per lead, then per level: the shift of a level, in widths of the band. */
  shifts: number[][]
}

/** Plain JSON. `modèle`: with too little history to fit, only the physical model, scaled to what was measured. */
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
  /** Measured divided by modelled energy, under a cloudless sky and under the announced weather. */
  scale: { clear: number; weather: number | null }
  weather: ForecastPart | null
  history: ForecastPart | null
}

export const HOUR_MINUTES = 60
export const getDayOfHour = (hour: number): number => Math.floor(hour / 24)
