import type { ForecastFrame } from './frame.ts'
import { computeDiffuse, computeLightOnPlanes } from './light.ts'
import { computePastFeatures, PAST_FEATURES } from './past.ts'
import { computeClearnessAround, type HourlyWeather } from './weather-hours.ts'

/** An hour to forecast: its index in the frame, the index of the last known day, and the days since the issue. */
export type ForecastTarget = { at: number; lastDay: number; lead: number }
export type FeatureShape = { fields: string[]; lags: boolean }
export type FeatureRow = { features: number[]; terms: number[] }

const RADIANS = Math.PI / 180
const DAYS_PER_YEAR = 365.2425
const K7 = PAST_FEATURES.indexOf('k7')
const getColumnValue = (column: Float64Array | undefined, at: number) => column?.[at] ?? 0

type HourWeather = { planes: number[]; kt: number; features: number[]; field: (name: string) => number }

function getAnnouncedWeather(frame: ForecastFrame, run: HourlyWeather, at: number, fields: string[]): HourWeather {
  const { light, firstDay } = frame
  const hour = firstDay * 24 + at
  const ghi = Math.max(0, run.at('ghi', hour))
  const told = run.at('dhi', hour)
  const dhi = Number.isNaN(told) ? computeDiffuse(light, at, ghi) : Math.min(ghi, Math.max(0, told))
  const planes = computeLightOnPlanes(light, at, ghi, dhi).map((value) => value / 1000)
  const kt = computeClearnessAround(frame, run, at, 0)
  const near = [computeClearnessAround(frame, run, at, 2), computeClearnessAround(frame, run, at, 8)]
  const besides = [run.at('ghi', hour - 1) / 1000, run.at('ghi', hour + 1) / 1000]
  const others = fields.map((name) => run.at(name, hour))
  const features = [ghi / 1000, dhi / 1000, ...planes, kt, ...near, ...besides, getColumnValue(frame.envelope, at) * kt]
  return { planes, kt, features: [...features, ...others], field: (name) => run.at(name, hour) }
}

/** Without weather the sky counts as cloudless; the features of the past say how far from it the plant was. */
function getCloudlessWeather({ light }: ForecastFrame, at: number): HourWeather {
  const planes = light.planes.map((plane) => getColumnValue(plane, at) / 1000)
  return { planes, kt: 1, features: [], field: () => Number.NaN }
}

/** The columns that the trees read (`features`) and the linear part reads (`terms`) for an hour. */
export function buildFeatureRow(
  frame: ForecastFrame,
  target: ForecastTarget,
  shape: FeatureShape,
  run?: HourlyWeather,
): FeatureRow {
  const { at, lastDay, lead } = target
  const { light, firstDay, envelope } = frame
  const weather = run ? getAnnouncedWeather(frame, run, at, shape.fields) : getCloudlessWeather(frame, at)
  const past = shape.lags ? computePastFeatures(frame, at, lastDay) : []
  const angle = (2 * Math.PI * (firstDay + at / 24)) / DAYS_PER_YEAR
  const elevation = getColumnValue(light.elevation, at)
  const azimuth = getColumnValue(light.azimuth, at)
  const clear = [
    getColumnValue(light.level, at) / 1000,
    ...light.planes.map((plane) => getColumnValue(plane, at) / 1000),
  ]
  const sun = [elevation, azimuth, ...clear, Math.sin(angle), Math.cos(angle), getColumnValue(envelope, at), lead]
  return {
    features: [...weather.features, ...sun, ...past],
    terms: buildTerms(weather, getColumnValue(envelope, at), elevation * RADIANS, Math.sin(azimuth * RADIANS), past),
  }
}

function buildTerms(
  { planes, kt, field }: HourWeather,
  envelope: number,
  height: number,
  side: number,
  past: number[],
) {
  const snow = field('snow')
  const whole = planes.reduce((sum, plane) => sum + plane, 0)
  const expected = envelope * kt
  return [
    ...planes.flatMap((plane) => [plane, plane * height, plane * side, plane * snow, plane * plane]),
    whole * field('temperature'),
    whole * field('cloud'),
    expected,
    ...(past.length > 0 ? [expected * (past[K7] ?? Number.NaN)] : []),
    ...past,
  ]
}
