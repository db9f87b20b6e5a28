import { computeDiffusePart } from '../model/pv.ts'
import type { SunLight } from './clear-sky-light.ts'
import { computeLightOnPlanes } from './clear-sky-light.ts'
import { type ForecastFrame, type HourlyWeather, toHourlyWeather } from './forecast-frame.ts'
import { getDayOfHour, type IssuedWeather } from './types.ts'

/** How far back the last known values of an hour are looked for. */
const MAX_LOOK_BACK_DAYS = 28
const PAST_FEATURES = ['y1', 'y2', 'y3', 'mean7', 'max14', 'min14', 'k1', 'k3', 'k7', 'k28', 'k3env', 'k28env'] as const

/** Σ measured divided by Σ possible over the `span` days that end with `day`; NaN where nothing was known. */
function computeClearness({ measured, possible }: ForecastFrame, day: number, span: number): number {
  let [up, down] = [0, 0]
  for (let at = Math.max(0, day - span + 1); at <= day; at++) {
    up += measured[at] ?? 0
    down += possible[at] ?? 0
  }
  return down > 0 ? up / down : Number.NaN
}

function summarizeSameHour({ y }: ForecastFrame, hour: number, day: number): number[] {
  const last: number[] = []
  let [sum, count, max, min] = [0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let back = 0; back < MAX_LOOK_BACK_DAYS; back++) {
    const value = day - back < 0 ? Number.NaN : (y[(day - back) * 24 + hour] ?? Number.NaN)
    if (Number.isNaN(value)) continue
    if (last.length < 3) last.push(value)
    if (back < 7) {
      sum += value
      count++
    }
    if (back < 14) {
      max = Math.max(max, value)
      min = Math.min(min, value)
    }
    if (back >= 14 && last.length === 3) break
  }
  while (last.length < 3) last.push(Number.NaN)
  const seen = max >= min
  return [...last, count > 0 ? sum / count : Number.NaN, seen ? max : Number.NaN, seen ? min : Number.NaN]
}

/** What is known of an hour of the day when `day` (an index of the frame) is the last known day. */
function computePastFeatures(frame: ForecastFrame, at: number, day: number): number[] {
  const ks = [1, 3, 7, 28].map((span) => computeClearness(frame, day, span))
  const envelope = frame.envelope[at] ?? 0
  return [...summarizeSameHour(frame, at % 24, day), ...ks, (ks[1] ?? 0) * envelope, (ks[3] ?? 0) * envelope]
}

/** An hour to forecast: its index in the frame, the index of the last known day, and the days since the issue. */
type ForecastTarget = { at: number; lastDay: number; lead: number }
export type FeatureShape = { fields: string[]; lags: boolean }
export type FeatureRow = { features: number[]; terms: number[] }

const RADIANS = Math.PI / 180
const DAYS_PER_YEAR = 365.2425
const K7 = PAST_FEATURES.indexOf('k7')
const getColumnValue = (column: Float64Array | undefined, at: number) => column?.[at] ?? 0

type HourWeather = { planes: number[]; kt: number; features: number[]; field: (name: string) => number }

/** Diffuse light when the weather does not announce it (Erbs). */
function computeDiffuse(light: SunLight, at: number, ghi: number): number {
  const outside = light.outside[at] ?? 0
  return outside > 0 ? ghi * computeDiffusePart(Math.min(1, ghi / outside)) : ghi
}

/** Announced divided by cloudless light over the hours around; NaN where none of them is covered. */
function computeClearnessAround(frame: ForecastFrame, run: HourlyWeather, at: number, reach: number): number {
  let [light, clear] = [0, 0]
  for (let near = at - reach; near <= at + reach; near++) {
    const ghi = run.at('ghi', frame.firstDay * 24 + near)
    const level = frame.light.level[near] ?? 0
    if (Number.isNaN(ghi) || level <= 0) continue
    light += Math.max(0, ghi)
    clear += level
  }
  return clear > 0 ? Math.min(2, light / clear) : Number.NaN
}

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

/** A training row: one per hour of daylight and lead. */
export type Lesson = FeatureRow & { y: number; day: number; lead: number }

/** More rows than this are thinned out evenly, so that a night's work stays a matter of seconds. */
const MAX_LESSONS = 16_000

/** Among all pairs of day and lead, selects every `stride`-th. */
const isSelected = (day: number, lead: number, stride: number) => (day + lead) % stride === 0

function isUsableHour({ y, light }: ForecastFrame, at: number): boolean {
  return at >= 0 && at < y.length && (light.level[at] ?? 0) > 0 && !Number.isNaN(y[at] ?? Number.NaN)
}

function countUsableHours(frame: ForecastFrame): number {
  let count = 0
  for (let at = 0; at < frame.y.length; at++) if (isUsableHour(frame, at)) count++
  return count
}

/** An hour without any measure before it teaches nothing about the past. */
const getFirstLessonDay = ({ lags }: FeatureShape, lead: number) => (lags ? 7 + lead : 0)

export function buildHistoryLessons(frame: ForecastFrame, shape: FeatureShape, leads: number[]): Lesson[] {
  const stride = Math.ceil((countUsableHours(frame) * leads.length) / MAX_LESSONS)
  const lessons: Lesson[] = []
  for (let at = 0; at < frame.y.length; at++) {
    if (!isUsableHour(frame, at)) continue
    const day = Math.floor(at / 24)
    for (const lead of leads) {
      if (!isSelected(frame.firstDay + day, lead, stride) || day < getFirstLessonDay(shape, lead)) continue
      const row = buildFeatureRow(frame, { at, lastDay: day - lead - 1, lead }, shape)
      lessons.push({ ...row, y: frame.y[at] ?? 0, day: frame.firstDay + day, lead })
    }
  }
  return lessons
}

type WeatherPair = { run: ReturnType<typeof toHourlyWeather>; at: number; lead: number }

function listWeatherPairs(frame: ForecastFrame, runs: IssuedWeather[], leads: number[]): WeatherPair[] {
  const wanted = new Set(leads)
  return runs.flatMap((issued) => {
    const run = toHourlyWeather(issued)
    const pairs: WeatherPair[] = []
    for (let hour = run.first; hour < run.first + run.count; hour++) {
      const at = hour - frame.firstDay * 24
      const lead = getDayOfHour(hour) - run.issuedDay
      if (!wanted.has(lead) || !isUsableHour(frame, at) || Number.isNaN(run.at('ghi', hour))) continue
      pairs.push({ run, at, lead })
    }
    return pairs
  })
}

export function buildWeatherLessons(
  frame: ForecastFrame,
  shape: FeatureShape,
  leads: number[],
  runs: IssuedWeather[],
): Lesson[] {
  const pairs = listWeatherPairs(frame, runs, leads)
  const stride = Math.ceil(pairs.length / MAX_LESSONS)
  return pairs
    .filter(({ at, lead }) => isSelected(frame.firstDay + Math.floor(at / 24), lead, stride))
    .map(({ run, at, lead }) => {
      const row = buildFeatureRow(frame, { at, lastDay: run.issuedDay - frame.firstDay - 1, lead }, shape, run)
      return { ...row, y: frame.y[at] ?? 0, day: frame.firstDay + Math.floor(at / 24), lead }
    })
}
