import { applyShifts, type CalibrationTrial, computeShifts } from './forecast/band-calibration.ts'
import { fitTrees, predictTrees } from './forecast/boosted-trees.ts'
import { computeHourShape, computeLight, splitHour } from './forecast/clear-sky-light.ts'
import {
  buildFrame,
  computeEnvelope,
  type ForecastFrame,
  getFrameBounds,
  type HourlyWeather,
  layOutHours,
  listWeatherFields,
  toHourlyWeather,
} from './forecast/forecast-frame.ts'
import { removeStuckHours, toHourlySeries } from './forecast/hourly-series.ts'
import { fitLinear, predictLinear } from './forecast/linear.ts'
import {
  buildFeatureRow,
  buildHistoryLessons,
  buildWeatherLessons,
  type FeatureRow,
  type FeatureShape,
  type Lesson,
} from './forecast/training-features.ts'
import {
  type ForecastHistory,
  type ForecastModel,
  type ForecastOptions,
  type ForecastPart,
  type ForecastRequest,
  type ForecastSource,
  getDayOfHour,
  HOUR_MINUTES,
  type IssuedWeather,
  type PowerForecast,
} from './forecast/types.ts'
import type { Coordinates } from './model/climate.ts'
import { computePvWatts, type PvPlant } from './model/pv.ts'
import type { Sky } from './model/weather.ts'
import type { PowerSeries } from './series/series.ts'

export type { ForecastModel, ForecastOptions, ForecastRequest, IssuedWeather, PowerForecast } from './forecast/types.ts'

/** Days of history needed to fit a model; with fewer, the physical model is used. */
const MIN_LEARNING_DAYS = 15
/** Days before the issue from which the features of the past are computed. */
const LOOK_BACK_DAYS = 42

const findGreatest = (values: Float64Array) => values.reduce((most, value) => (value > most ? value : most), 0)
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

function requireLevels(levels: number[] = [0.1, 0.5, 0.9]): number[] {
  if (levels.length === 0 || levels.some((level) => !(level > 0 && level < 1)))
    throw new RangeError('levels lie between 0 and 1')
  return [...levels].sort((a, b) => a - b)
}

const countMeasuredDays = ({ possible }: ForecastFrame) =>
  possible.reduce((count, value) => count + (value > 0 ? 1 : 0), 0)
const countLessonDays = (lessons: Lesson[]) => new Set(lessons.map(({ day }) => day)).size

export function fitForecastModel(history: ForecastHistory, options: ForecastOptions = {}): ForecastModel {
  const { place } = history
  const levels = requireLevels(options.levels)
  const hours = removeStuckHours(toHourlySeries(history.series))
  const peakWatts = history.peakWatts || findGreatest(hours.watts) || 1
  const bounds = getFrameBounds(hours)
  const y = layOutHours(hours, bounds, peakWatts)
  const light = computeLight(place, bounds.firstDay * 24, bounds.days * 24)
  const envelope = computeEnvelope(bounds.firstDay * 24, y, light.brightest)
  const frame = buildFrame(y, bounds, place, envelope, light)
  const runs = options.only === 'history' ? [] : (history.weather ?? [])
  const days = countMeasuredDays(frame)
  const parts = days < MIN_LEARNING_DAYS ? { weather: null, history: null } : fitParts(frame, runs, levels, options)
  const kind = parts.weather || parts.history ? 'appris' : 'modèle'
  const scale = computeModelScale(frame, place, runs)
  return { version: 1, kind, place, peakWatts, levels, days, envelope, scale, ...parts }
}

function fitParts(
  frame: ForecastFrame,
  runs: IssuedWeather[],
  levels: number[],
  options: ForecastOptions,
): Pick<ForecastModel, 'weather' | 'history'> {
  const leads = [...(options.leads ?? range(8))].sort((a, b) => a - b)
  const shape = { fields: listWeatherFields(runs), lags: options.lags ?? true }
  const part = (lessons: Lesson[], weather: boolean): ForecastPart | null =>
    countLessonDays(lessons) < MIN_LEARNING_DAYS ? null : fitForecastPart(lessons, shape, levels, leads, weather)
  return {
    weather: runs.length > 0 ? part(buildWeatherLessons(frame, shape, leads, runs), true) : null,
    history: options.only === 'weather' ? null : part(buildHistoryLessons(frame, shape, leads), false),
  }
}

/** What is known when a forecast is issued, for the days that it needs. */
function buildRecentFrame(
  model: ForecastModel,
  ask: ForecastRequest,
  recent: PowerSeries,
): { frame: ForecastFrame; lastDay: number } {
  const issued = Math.floor(ask.issuedAt / 1440)
  const hours = removeStuckHours(toHourlySeries(recent, ask.issuedAt))
  const last = hours.watts.findLastIndex((value) => !Number.isNaN(value))
  const lastDay = last < 0 ? issued - 1 : Math.min(issued - 1, getDayOfHour(hours.first + last))
  const end = Math.ceil((ask.startsAt + ask.steps * ask.step) / 1440)
  const firstDay = Math.min(lastDay - LOOK_BACK_DAYS, Math.floor(ask.startsAt / 1440))
  const bounds = { firstDay, days: end - firstDay }
  const y = layOutHours(hours, bounds, model.peakWatts)
  // The day of issue is known in part at most, so none of it is used.
  y.fill(Number.NaN, (lastDay + 1 - firstDay) * 24)
  return { frame: buildFrame(y, bounds, model.place, model.envelope), lastDay: lastDay - firstDay }
}

type ForecastContext = { model: ForecastModel; frame: ForecastFrame; lastDay: number; run: HourlyWeather | undefined }

/** The nearest of the leads (days ahead) that were fitted. */
const findNearestLead = (leads: number[], lead: number): number =>
  leads.reduce((best, each, order) => (Math.abs(each - lead) < Math.abs((leads[best] ?? 0) - lead) ? order : best), 0)

function predictLevels(
  { model, frame, lastDay }: ForecastContext,
  part: ForecastPart,
  at: number,
  lead: number,
  run?: HourlyWeather,
): number[] {
  const order = findNearestLead(part.leads, lead)
  const target = { at, lastDay, lead: part.leads[order] ?? lead }
  const shape = { fields: part.fields, lags: part.lags }
  return applyShifts(
    predictPartLevels(part, buildFeatureRow(frame, target, shape, run)),
    part.shifts[order] ?? model.levels.map(() => 0),
  )
}

function predictHour(scene: ForecastContext, at: number): { levels: number[]; source: ForecastSource } {
  const { model, frame, lastDay, run } = scene
  const covering = run && !Number.isNaN(run.at('ghi', frame.firstDay * 24 + at)) ? run : undefined
  const byWeather =
    covering !== undefined && (model.weather !== null || (!model.history && model.scale.weather !== null))
  const source = byWeather ? 'weather' : 'history'
  if ((frame.light.level[at] ?? 0) <= 0) return { levels: model.levels.map(() => 0), source }
  const day = Math.floor(at / 24)
  if (covering && model.weather)
    return {
      levels: predictLevels(scene, model.weather, at, day + frame.firstDay - covering.issuedDay, covering),
      source,
    }
  if (model.history) return { levels: predictLevels(scene, model.history, at, day - lastDay - 1), source }
  const scale = byWeather ? (model.scale.weather ?? 1) : model.scale.clear
  const value = scale * computeModelledOutput(frame, at, model.place, byWeather ? covering : undefined)
  return { levels: computeBandAroundModel(value, model.levels), source }
}

export function computeForecast(
  model: ForecastModel,
  ask: ForecastRequest,
  recent: PowerSeries,
  run?: IssuedWeather,
): PowerForecast {
  const { startsAt, steps, step } = ask
  if (startsAt % step !== 0) throw new RangeError(`a forecast starts on a step of ${step} minutes`)
  const scene: ForecastContext = { model, run: run && toHourlyWeather(run), ...buildRecentFrame(model, ask, recent) }
  const values = model.levels.map(() => new Int32Array(steps))
  const source: ForecastSource[] = []
  const first = Math.floor(startsAt / HOUR_MINUTES)
  const parts = HOUR_MINUTES / step
  for (let hour = first; hour * HOUR_MINUTES < startsAt + steps * step; hour++) {
    const known = predictHour(scene, hour - scene.frame.firstDay * 24)
    const watts = known.levels.map((level) => Math.round(level * model.peakWatts))
    const cut = splitHour(watts, parts === 1 ? [1] : computeHourShape(model.place, hour, step))
    for (let part = 0; part < parts; part++) {
      const at = (hour * HOUR_MINUTES - startsAt) / step + part
      if (at < 0 || at >= steps) continue
      source[at] = known.source
      for (const [order, level] of values.entries()) level[at] = cut[order]?.[part] ?? 0
    }
  }
  return { startsAt, step, levels: model.levels, values, source }
}

/** The usual roof, when the orientation of the panels is unknown. */
const toDefaultPlant = (peakWatts: number, place: Coordinates): PvPlant => {
  return { peakWatts, place, tilt: 35, azimuth: place.latitude < 0 ? 0 : 180 }
}

function toSky(run: HourlyWeather, hour: number, level: number): Sky {
  const temperature = run.at('temperature', hour)
  const clearness = level > 0 ? Math.min(1.2, Math.max(0, run.at('ghi', hour)) / level) : 0
  return () => ({ clearness, temperature: Number.isNaN(temperature) ? 15 : temperature })
}

/** The physical model of an hour as a part of the peak power, under a cloudless sky or the announced one. */
function computeModelledOutput(frame: ForecastFrame, at: number, place: Coordinates, run?: HourlyWeather): number {
  const hour = frame.firstDay * 24 + at
  const sky = run && toSky(run, hour, frame.light.level[at] ?? 0)
  // A plant of a thousand kilowatts, so that whole watts cost no precision.
  return (computePvWatts(toDefaultPlant(1e6, place), hour * HOUR_MINUTES, 1, HOUR_MINUTES, sky)[0] ?? 0) / 1e6
}

function computeRatio(
  frame: ForecastFrame,
  place: Coordinates,
  hours: Iterable<[number, HourlyWeather | undefined]>,
): number | null {
  let [measured, model] = [0, 0]
  for (const [at, run] of hours) {
    const value = frame.y[at] ?? Number.NaN
    if (Number.isNaN(value) || (frame.light.level[at] ?? 0) <= 0) continue
    measured += value
    model += computeModelledOutput(frame, at, place, run)
  }
  return model > 0 ? Number((measured / model).toPrecision(6)) : null
}

/** Σ measured divided by Σ modelled over the last year; 1 where nothing was measured. */
function computeModelScale(
  frame: ForecastFrame,
  place: Coordinates,
  runs: IssuedWeather[],
): { clear: number; weather: number | null } {
  const first = Math.max(0, frame.y.length - 365 * 24)
  const all = Array.from({ length: frame.y.length - first }, (_, i): [number, undefined] => [first + i, undefined])
  const covered = new Map<number, HourlyWeather>()
  for (const run of runs.map(toHourlyWeather))
    for (let hour = run.first; hour < run.first + run.count; hour++)
      if (!Number.isNaN(run.at('ghi', hour))) covered.set(hour - frame.firstDay * 24, run)
  return { clear: computeRatio(frame, place, all) ?? 1, weather: computeRatio(frame, place, covered) }
}

/** ± 50 % at the levels of an 80 % band. */
const computeBandAroundModel = (value: number, levels: number[]): number[] =>
  levels.map((level) => Math.min(1.05, Math.max(0, value * (1 + (0.5 * (level - 0.5)) / 0.4))))

const HALF_LIFE_DAYS = 365
const FOLDS = 3
const FOLD_BLOCK_DAYS = 10
/** In days: weather models change with the season, the output of a roof hardly. */
const CALIBRATION_HALF_LIFE_DAYS = { weather: 45, history: 120 }

type PartModel = Pick<ForecastPart, 'linear' | 'trees'>

/** Fits a part on some lessons, and gives its levels for other lessons that it has not seen. */
function fitPartModel(lessons: Lesson[], levels: number[], unseen: Lesson[] = []): PartModel & { told: number[][] } {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  const y = lessons.map((lesson) => lesson.y)
  const weights = lessons.map(({ day }) => 0.5 ** ((newest - day) / HALF_LIFE_DAYS))
  const linear = fitLinear(
    lessons.map(({ terms }) => terms),
    y,
    weights,
  )
  const all = [...lessons, ...unseen]
  const base = all.map(({ terms }) => predictLinear(linear, terms))
  const rest = Float64Array.from(y, (value, at) => value - (base[at] ?? 0))
  const features = all.map((lesson, at) => [...lesson.features, base[at] ?? 0])
  const learnt = fitTrees(features, rest, levels)
  const predictedLevels = unseen.map((_, at) => {
    return sortLevels(learnt.map(({ said }) => (base[lessons.length + at] ?? 0) + (said[at] ?? 0)))
  })
  return { linear, trees: learnt.map(({ trees }) => trees), told: predictedLevels }
}

const sortLevels = (levels: number[]) => levels.sort((a, b) => a - b)

/** Levels before calibration, in order. */
function predictPartLevels({ linear, trees }: PartModel, { features, terms }: FeatureRow): number[] {
  const base = predictLinear(linear, terms)
  const row = [...features, base]
  return sortLevels(trees.map((level) => base + predictTrees(level, row)))
}

const getFold = ({ day }: Lesson) => Math.floor(day / FOLD_BLOCK_DAYS) % FOLDS

function buildTrials(lessons: Lesson[], levels: number[]): CalibrationTrial[] {
  const newest = lessons.reduce((last, { day }) => Math.max(last, day), 0)
  return Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
    const heldOut = lessons.filter((lesson) => getFold(lesson) === fold)
    const others = lessons.filter((lesson) => getFold(lesson) !== fold)
    if (heldOut.length === 0 || others.length === 0) return []
    const { told } = fitPartModel(others, levels, heldOut)
    return heldOut.map(({ y, lead, day }, at) => ({ y, levels: told[at] ?? [], lead, age: newest - day }))
  })
}

function fitForecastPart(
  lessons: Lesson[],
  shape: FeatureShape,
  levels: number[],
  leads: number[],
  weather: boolean,
): ForecastPart {
  const { linear, trees } = fitPartModel(lessons, levels)
  const shifts = computeShifts(
    buildTrials(lessons, levels),
    levels,
    leads,
    weather ? CALIBRATION_HALF_LIFE_DAYS.weather : CALIBRATION_HALF_LIFE_DAYS.history,
  )
  return { fields: shape.fields, lags: shape.lags, weather, linear, trees, leads, shifts }
}
