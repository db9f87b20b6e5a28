import type { Frame } from './frame.ts'
import { diffuseOf, onPlanes } from './light.ts'
import { PAST, pastOf } from './past.ts'
import { type Announced, clearnessAround } from './weather-hours.ts'

/** An hour to be forecast: its place in the frame, the last known day there, days since the issue. */
export type Target = { at: number; lastDay: number; lead: number }
export type Shape = { fields: string[]; lags: boolean }
export type Row = { features: number[]; terms: number[] }

const RADIANS = Math.PI / 180
const YEAR = 365.2425
const K7 = PAST.indexOf('k7')
const columnAt = (column: Float64Array | undefined, at: number) => column?.[at] ?? 0

type Weather = { planes: number[]; kt: number; features: number[]; field: (name: string) => number }

function announcedWeather(frame: Frame, run: Announced, at: number, fields: string[]): Weather {
  const { light, firstDay } = frame
  const hour = firstDay * 24 + at
  const ghi = Math.max(0, run.at('ghi', hour))
  const told = run.at('dhi', hour)
  const dhi = Number.isNaN(told) ? diffuseOf(light, at, ghi) : Math.min(ghi, Math.max(0, told))
  const planes = onPlanes(light, at, ghi, dhi).map((value) => value / 1000)
  const kt = clearnessAround(frame, run, at, 0)
  const near = [clearnessAround(frame, run, at, 2), clearnessAround(frame, run, at, 8)]
  const besides = [run.at('ghi', hour - 1) / 1000, run.at('ghi', hour + 1) / 1000]
  const others = fields.map((name) => run.at(name, hour))
  const features = [ghi / 1000, dhi / 1000, ...planes, kt, ...near, ...besides, columnAt(frame.envelope, at) * kt]
  return { planes, kt, features: [...features, ...others], field: (name) => run.at(name, hour) }
}

/** Without weather the sky is taken for cloudless, and the past says how far it was from that. */
function cloudless({ light }: Frame, at: number): Weather {
  const planes = light.planes.map((plane) => columnAt(plane, at) / 1000)
  return { planes, kt: 1, features: [], field: () => Number.NaN }
}

/** What trees see (`features`) and what the linear part sees (`terms`) of an hour. */
export function rowOf(frame: Frame, target: Target, shape: Shape, run?: Announced): Row {
  const { at, lastDay, lead } = target
  const { light, firstDay, envelope } = frame
  const weather = run ? announcedWeather(frame, run, at, shape.fields) : cloudless(frame, at)
  const past = shape.lags ? pastOf(frame, at, lastDay) : []
  const angle = (2 * Math.PI * (firstDay + at / 24)) / YEAR
  const elevation = columnAt(light.elevation, at)
  const azimuth = columnAt(light.azimuth, at)
  const clear = [columnAt(light.level, at) / 1000, ...light.planes.map((plane) => columnAt(plane, at) / 1000)]
  const sun = [elevation, azimuth, ...clear, Math.sin(angle), Math.cos(angle), columnAt(envelope, at), lead]
  return {
    features: [...weather.features, ...sun, ...past],
    terms: termsOf(weather, columnAt(envelope, at), elevation * RADIANS, Math.sin(azimuth * RADIANS), past),
  }
}

function termsOf({ planes, kt, field }: Weather, envelope: number, height: number, side: number, past: number[]) {
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
