import { calibrated } from './forecast/calibrate.ts'
import { cutHour, shapeOf } from './forecast/cut.ts'
import { envelopeOf } from './forecast/envelope.ts'
import { rowOf } from './forecast/features.ts'
import { daysOf, type Frame, frameOf, layOut } from './forecast/frame.ts'
import { hoursOf } from './forecast/hours.ts'
import { lightOf } from './forecast/light.ts'
import { fitPart, predictCore } from './forecast/part.ts'
import { aroundModel, modelled, scaleOf } from './forecast/physical.ts'
import { historyLessons, type Lesson, weatherLessons } from './forecast/rows.ts'
import { withoutStuck } from './forecast/stuck.ts'
import type { Ask, Forecast, History, Model, Options, Part, Run, Source } from './forecast/types.ts'
import { dayOfHour, HOUR } from './forecast/types.ts'
import { type Announced, announced, fieldsOf } from './forecast/weather-hours.ts'
import type { Series } from './series/series.ts'

export type { Ask, Forecast, Model, Options, Run } from './forecast/types.ts'

/** Days to learn from; with fewer the physical model speaks. */
const ENOUGH_DAYS = 15
/** Days before the issue that the past looks back on. */
const LOOK_BACK = 42

const greatest = (values: Float64Array) => values.reduce((most, value) => (value > most ? value : most), 0)
const range = (count: number) => Array.from({ length: count }, (_, i) => i)

function checkedLevels(levels: number[] = [0.1, 0.5, 0.9]): number[] {
  if (levels.length === 0 || levels.some((level) => !(level > 0 && level < 1)))
    throw new RangeError('levels lie between 0 and 1')
  return [...levels].sort((a, b) => a - b)
}

const measuredDays = ({ possible }: Frame) => possible.reduce((count, value) => count + (value > 0 ? 1 : 0), 0)
const daysIn = (lessons: Lesson[]) => new Set(lessons.map(({ day }) => day)).size

export function fitForecast(history: History, options: Options = {}): Model {
  const { place } = history
  const levels = checkedLevels(options.levels)
  const hours = withoutStuck(hoursOf(history.series))
  const peakWatts = history.peakWatts || greatest(hours.watts) || 1
  const bounds = daysOf(hours)
  const y = layOut(hours, bounds, peakWatts)
  const light = lightOf(place, bounds.firstDay * 24, bounds.days * 24)
  const envelope = envelopeOf(bounds.firstDay * 24, y, light.brightest)
  const frame = frameOf(y, bounds, place, envelope, light)
  const runs = options.only === 'history' ? [] : (history.weather ?? [])
  const days = measuredDays(frame)
  const parts = days < ENOUGH_DAYS ? { weather: null, history: null } : partsOf(frame, runs, levels, options)
  const kind = parts.weather || parts.history ? 'appris' : 'modèle'
  const scale = scaleOf(frame, place, runs)
  return { version: 1, kind, place, peakWatts, levels, days, envelope, scale, ...parts }
}

function partsOf(frame: Frame, runs: Run[], levels: number[], options: Options): Pick<Model, 'weather' | 'history'> {
  const leads = [...(options.leads ?? range(8))].sort((a, b) => a - b)
  const shape = { fields: fieldsOf(runs), lags: options.lags ?? true }
  const part = (lessons: Lesson[], weather: boolean): Part | null =>
    daysIn(lessons) < ENOUGH_DAYS ? null : fitPart(lessons, shape, levels, leads, weather)
  return {
    weather: runs.length > 0 ? part(weatherLessons(frame, shape, leads, runs), true) : null,
    history: options.only === 'weather' ? null : part(historyLessons(frame, shape, leads), false),
  }
}

/** What is known when a forecast is issued, laid on the days it needs. */
function recentFrame(model: Model, ask: Ask, recent: Series): { frame: Frame; lastDay: number } {
  const issued = Math.floor(ask.issuedAt / 1440)
  const hours = withoutStuck(hoursOf(recent, ask.issuedAt))
  const last = hours.watts.findLastIndex((value) => !Number.isNaN(value))
  const lastDay = last < 0 ? issued - 1 : Math.min(issued - 1, dayOfHour(hours.first + last))
  const end = Math.ceil((ask.startsAt + ask.steps * ask.step) / 1440)
  const firstDay = Math.min(lastDay - LOOK_BACK, Math.floor(ask.startsAt / 1440))
  const bounds = { firstDay, days: end - firstDay }
  const y = layOut(hours, bounds, model.peakWatts)
  // The day of issue is known in part at most: nothing of it counts.
  y.fill(Number.NaN, (lastDay + 1 - firstDay) * 24)
  return { frame: frameOf(y, bounds, model.place, model.envelope), lastDay: lastDay - firstDay }
}

type Scene = { model: Model; frame: Frame; lastDay: number; run: Announced | undefined }

/** The lead that was learnt and is nearest. */
const nearest = (leads: number[], lead: number): number =>
  leads.reduce((best, each, order) => (Math.abs(each - lead) < Math.abs((leads[best] ?? 0) - lead) ? order : best), 0)

function levelsOf({ model, frame, lastDay }: Scene, part: Part, at: number, lead: number, run?: Announced): number[] {
  const order = nearest(part.leads, lead)
  const target = { at, lastDay, lead: part.leads[order] ?? lead }
  const shape = { fields: part.fields, lags: part.lags }
  return calibrated(
    predictCore(part, rowOf(frame, target, shape, run)),
    part.shifts[order] ?? model.levels.map(() => 0),
  )
}

function hourOf(scene: Scene, at: number): { levels: number[]; source: Source } {
  const { model, frame, lastDay, run } = scene
  const covering = run && !Number.isNaN(run.at('ghi', frame.firstDay * 24 + at)) ? run : undefined
  const byWeather =
    covering !== undefined && (model.weather !== null || (!model.history && model.scale.weather !== null))
  const source = byWeather ? 'weather' : 'history'
  if ((frame.light.level[at] ?? 0) <= 0) return { levels: model.levels.map(() => 0), source }
  const day = Math.floor(at / 24)
  if (covering && model.weather)
    return { levels: levelsOf(scene, model.weather, at, day + frame.firstDay - covering.issuedDay, covering), source }
  if (model.history) return { levels: levelsOf(scene, model.history, at, day - lastDay - 1), source }
  const scale = byWeather ? (model.scale.weather ?? 1) : model.scale.clear
  const value = scale * modelled(frame, at, model.place, byWeather ? covering : undefined)
  return { levels: aroundModel(value, model.levels), source }
}

export function forecast(model: Model, ask: Ask, recent: Series, run?: Run): Forecast {
  const { startsAt, steps, step } = ask
  if (startsAt % step !== 0) throw new RangeError(`a forecast starts on a step of ${step} minutes`)
  const scene: Scene = { model, run: run && announced(run), ...recentFrame(model, ask, recent) }
  const values = model.levels.map(() => new Int32Array(steps))
  const source: Source[] = []
  const first = Math.floor(startsAt / HOUR)
  const parts = HOUR / step
  for (let hour = first; hour * HOUR < startsAt + steps * step; hour++) {
    const known = hourOf(scene, hour - scene.frame.firstDay * 24)
    const watts = known.levels.map((level) => Math.round(level * model.peakWatts))
    const cut = cutHour(watts, parts === 1 ? [1] : shapeOf(model.place, hour, step))
    for (let part = 0; part < parts; part++) {
      const at = (hour * HOUR - startsAt) / step + part
      if (at < 0 || at >= steps) continue
      source[at] = known.source
      for (const [order, level] of values.entries()) level[at] = cut[order]?.[part] ?? 0
    }
  }
  return { startsAt, step, levels: model.levels, values, source }
}
