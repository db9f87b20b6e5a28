import { addDays, dayStart } from '@voisol/energy/calendar'
import { computeForecast, type ForecastModel, fitForecastModel, type PowerForecast } from '@voisol/energy/forecast'
import { applyBandEdges, computeBandEdges, type PastBand } from '@voisol/energy/forecast/band-calibration'
import { computePersistence, forecastLoad } from '@voisol/energy/forecast/consumption-forecast'
import { forecastSurplus } from '@voisol/energy/forecast/surplus'
import type { Coordinates } from '@voisol/energy/model/climate'
import { computeSunPosition } from '@voisol/energy/model/sun'
import type { PowerSeries } from '@voisol/energy/series'
import type { ComputeTask } from '../../../workers/task.ts'
import { comparePastNet, computeNet, computeSurplusSeries, getMedian } from './net-forecast.ts'
import {
  DAYS_BY_SPAN,
  FORECAST_SPANS,
  type IssuedForecast,
  type IssueInput,
  type IssueKind,
  type IssueOutput,
  type IssueRequest,
  type PastBandValues,
  type PastNetForecast,
} from './task-types.ts'

const MINUTES_PER_HOUR = 60
/** As in scores: lower, the sun is behind hills and haze. */
const LOW_SUN_DEGREES = 3

/** A past week before its band was adjusted, with the hours used to judge bands. */
export function toPastBand(
  { startsAt, levels, values }: PastBandValues,
  { latitude, longitude }: Coordinates,
): PastBand {
  const steps = values.length / levels.length
  const getLevelValues = (level: number) => {
    const order = levels.indexOf(level)
    return order < 0 ? [] : values.subarray(order * steps, (order + 1) * steps)
  }
  const [low, middle, high] = [getLevelValues(0.1), getLevelValues(0.5), getLevelValues(0.9)]
  const isUp = (at: number) =>
    computeSunPosition(startsAt + at * MINUTES_PER_HOUR + MINUTES_PER_HOUR / 2, latitude, longitude).elevation >
    LOW_SUN_DEGREES
  return {
    startsAt,
    step: MINUTES_PER_HOUR,
    low,
    middle,
    high,
    counts: Uint8Array.from(middle, (_, at) => (isUp(at) ? 1 : 0)),
  }
}

/** Readings known before an instant: the only place where later ones are cut off. */
const cutSeriesAt = ({ startsAt, step, watts }: PowerSeries, minute: number): PowerSeries => ({
  startsAt,
  step,
  watts: watts.subarray(0, Math.max(0, Math.floor((minute - startsAt) / step))),
})

const getKnownUntil = ({ startsAt, step, watts }: PowerSeries): number | null => {
  const last = watts.findLastIndex((value) => value >= 0)
  return last < 0 ? null : startsAt + (last + 1) * step
}

const fitModel = ({ hours, place, peakWatts, runs, fitOn, fit }: IssueInput): ForecastModel => {
  const until = dayStart(fitOn)
  const weather = runs.filter(({ issuedAt }) => issuedAt < until)
  return fitForecastModel({ series: cutSeriesAt(hours, until), place, peakWatts, weather }, fit)
}

const packLevels = (values: Int32Array[]): Int32Array => Int32Array.from(values.flatMap((level) => [...level]))

type IssuedValues = Omit<IssuedForecast, 'day' | 'issuedAt' | 'span' | 'kind'>

function toIssuedValues(
  forecastResult: PowerForecast,
  recent: PowerSeries,
  issuedAt: number,
  more: Pick<IssuedValues, 'recipe' | 'learntDays' | 'weatherIssuedAt'>,
): IssuedValues {
  const { startsAt, step, levels, values, source } = forecastResult
  const steps = source.length
  return {
    ...more,
    knownUntil: getKnownUntil(recent),
    startsAt,
    step,
    steps,
    levels,
    values: packLevels(values),
    learnt: null,
    persistence: computePersistence({ issuedAt, startsAt, steps, step }, recent),
    source: Uint8Array.from(source, (one) => (one === 'weather' ? 1 : 0)),
    chance: null,
  }
}

const UNKNOWN_CHANCE = 255
/** Readings of the issue day never count: forecasts are made as of its morning. */
const MORNING_MINUTE = 360
const countKnownDays = ({ watts, step }: PowerSeries) =>
  Math.floor((watts.reduce((sum, value) => sum + (value >= 0 ? 1 : 0), 0) * step) / 1440)

type PastForecasts = { said: PastNetForecast[]; bands: PastBand[] }

function issueDayForecasts(
  input: IssueInput,
  model: ForecastModel,
  { day, issuedAt, run }: IssueRequest,
  { said, bands }: PastForecasts,
): IssuedForecast[] {
  const startsAt = dayStart(day)
  const { peakWatts } = input
  const [hours, fine] = [cutSeriesAt(input.hours, startsAt), cutSeriesAt(input.fine, startsAt)]
  const edges = computeBandEdges(bands, hours, startsAt, peakWatts)
  const load = input.load && cutSeriesAt(input.load, startsAt)
  const issues: IssuedForecast[] = []
  for (const span of FORECAST_SPANS) {
    const step = span === 'near' ? input.step : 60
    const steps = (dayStart(addDays(day, DAYS_BY_SPAN[span])) - startsAt) / step
    const ask = { issuedAt: startsAt + MORNING_MINUTE, startsAt, steps, step }
    const add = (kind: IssueKind, one: IssuedValues) => issues.push({ ...one, day, issuedAt, span, kind })
    const learntAs = computeForecast(model, ask, hours, run ?? undefined)
    const production = applyBandEdges(learntAs, edges, peakWatts)
    const weather = production.source.includes('weather') ? (run?.issuedAt ?? null) : null
    const learnt = { recipe: model.kind, learntDays: model.days, weatherIssuedAt: weather }
    const asLearnt = production === learntAs || span === 'near' ? null : packLevels(learntAs.values)
    add('production', { ...toIssuedValues(production, fine, startsAt, learnt), learnt: asLearnt })
    if (span === 'week')
      bands.push(toPastBand({ startsAt, levels: learntAs.levels, values: packLevels(learntAs.values) }, input.place))
    if (!load) continue
    const consumption = forecastLoad(ask, load)
    const profile = { recipe: 'profil' as const, learntDays: Math.min(28, countKnownDays(load)), weatherIssuedAt: null }
    add('consumption', toIssuedValues(consumption, load, startsAt, profile))
    const surplus = forecastSurplus(production, consumption, comparePastNet(said, span, startsAt, fine, load))
    const chance = Uint8Array.from(surplus.chance, (part) => (part === null ? UNKNOWN_CHANCE : Math.round(part * 100)))
    add('surplus', { ...toIssuedValues(surplus, computeSurplusSeries(fine, load), startsAt, learnt), chance })
    said.push({ span, startsAt, step, net: computeNet(getMedian(production), getMedian(consumption)) })
  }
  return issues
}

/** Fits the model, then forecasts each day with the data known before it, in order. */
const issueForecastsTask: ComputeTask<IssueInput, IssueOutput> = (input) => {
  const model = input.model ?? fitModel(input)
  const past = { said: [...input.said], bands: input.bands.map((band) => toPastBand(band, input.place)) }
  const issues = input.asks
    .toSorted((a, b) => a.issuedAt - b.issuedAt)
    .flatMap((ask) => issueDayForecasts(input, model, ask, past))
  const moved = issues.flatMap(({ values, persistence }) => [values.buffer, persistence.buffer] as ArrayBuffer[]) // made here
  return { value: { model, issues }, moved }
}
export default issueForecastsTask
