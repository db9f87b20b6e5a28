import { buildFeatureRow, type FeatureRow, type FeatureShape } from './features.ts'
import type { ForecastFrame } from './frame.ts'
import { getDayOfHour, type IssuedWeather } from './types.ts'
import { toHourlyWeather } from './weather-hours.ts'

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
