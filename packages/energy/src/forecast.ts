import { applyShifts } from './forecast/calibrate.ts'
import { computeHourShape, splitHour } from './forecast/cut.ts'
import { computeEnvelope } from './forecast/envelope.ts'
import { buildFeatureRow } from './forecast/features.ts'
import { buildFrame, type ForecastFrame, getFrameBounds, layOutHours } from './forecast/frame.ts'
import { toHourlySeries } from './forecast/hours.ts'
import { computeLight } from './forecast/light.ts'
import { fitForecastPart, predictPartLevels } from './forecast/part.ts'
import { computeBandAroundModel, computeModelledOutput, computeModelScale } from './forecast/physical.ts'
import { buildHistoryLessons, buildWeatherLessons, type Lesson } from './forecast/rows.ts'
import { removeStuckHours } from './forecast/stuck.ts'
import type {
  ForecastHistory,
  ForecastModel,
  ForecastOptions,
  ForecastPart,
  ForecastRequest,
  ForecastSource,
  IssuedWeather,
  PowerForecast,
} from './forecast/types.ts'
import { getDayOfHour, HOUR_MINUTES } from './forecast/types.ts'
import { type HourlyWeather, listWeatherFields, toHourlyWeather } from './forecast/weather-hours.ts'
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
