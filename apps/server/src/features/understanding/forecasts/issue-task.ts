import { addDays, dayStart } from '@voisol/energy/calendar'
import { type Forecast, fitForecast, forecast, type Model } from '@voisol/energy/forecast'
import { edgesOf, movedEdges, type PastBand } from '@voisol/energy/forecast/edges'
import { forecastLoad } from '@voisol/energy/forecast/load'
import { persistenceOf } from '@voisol/energy/forecast/persistence'
import { forecastSurplus } from '@voisol/energy/forecast/surplus'
import type { Series } from '@voisol/energy/series'
import type { Task } from '../../../compute/task.ts'
import { bandOf } from './bands.ts'
import { middleOf, netOf, pastOf, surplusSeries } from './net.ts'
import {
  DAYS,
  type Issue,
  type IssueAsk,
  type IssueInput,
  type IssueOutput,
  type Kind,
  type SaidNet,
  SPANS,
} from './task-types.ts'

/** What was known before an instant: the one place where later readings are cut off. */
const before = ({ startsAt, step, watts }: Series, minute: number): Series => ({
  startsAt,
  step,
  watts: watts.subarray(0, Math.max(0, Math.floor((minute - startsAt) / step))),
})

const knownUntil = ({ startsAt, step, watts }: Series): number | null => {
  const last = watts.findLastIndex((value) => value >= 0)
  return last < 0 ? null : startsAt + (last + 1) * step
}

const learn = ({ hours, place, peakWatts, runs, fitOn, fit }: IssueInput): Model => {
  const until = dayStart(fitOn)
  const weather = runs.filter(({ issuedAt }) => issuedAt < until)
  return fitForecast({ series: before(hours, until), place, peakWatts, weather }, fit)
}

const packed = (values: Int32Array[]): Int32Array => Int32Array.from(values.flatMap((level) => [...level]))

type Made = Omit<Issue, 'day' | 'issuedAt' | 'span' | 'kind'>

function made(
  said: Forecast,
  recent: Series,
  issuedAt: number,
  more: Pick<Made, 'recipe' | 'learntDays' | 'weatherIssuedAt'>,
): Made {
  const { startsAt, step, levels, values, source } = said
  const steps = source.length
  return {
    ...more,
    knownUntil: knownUntil(recent),
    startsAt,
    step,
    steps,
    levels,
    values: packed(values),
    learnt: null,
    persistence: persistenceOf({ issuedAt, startsAt, steps, step }, recent),
    source: Uint8Array.from(source, (one) => (one === 'weather' ? 1 : 0)),
    chance: null,
  }
}

const UNKNOWN = 255
/** Whenever it is issued, nothing of that day counts: the recipes are asked as of its morning. */
const MORNING = 360
const daysIn = ({ watts, step }: Series) =>
  Math.floor((watts.reduce((sum, value) => sum + (value >= 0 ? 1 : 0), 0) * step) / 1440)

type Past = { said: SaidNet[]; bands: PastBand[] }

function issueDay(input: IssueInput, model: Model, { day, issuedAt, run }: IssueAsk, { said, bands }: Past): Issue[] {
  const startsAt = dayStart(day)
  const { peakWatts } = input
  const [hours, fine] = [before(input.hours, startsAt), before(input.fine, startsAt)]
  const edges = edgesOf(bands, hours, startsAt, peakWatts)
  const load = input.load && before(input.load, startsAt)
  const issues: Issue[] = []
  for (const span of SPANS) {
    const step = span === 'near' ? input.step : 60
    const steps = (dayStart(addDays(day, DAYS[span])) - startsAt) / step
    const ask = { issuedAt: startsAt + MORNING, startsAt, steps, step }
    const add = (kind: Kind, one: Made) => issues.push({ ...one, day, issuedAt, span, kind })
    const learntAs = forecast(model, ask, hours, run ?? undefined)
    const production = movedEdges(learntAs, edges, peakWatts)
    const weather = production.source.includes('weather') ? (run?.issuedAt ?? null) : null
    const learnt = { recipe: model.kind, learntDays: model.days, weatherIssuedAt: weather }
    const asLearnt = production === learntAs || span === 'near' ? null : packed(learntAs.values)
    add('production', { ...made(production, fine, startsAt, learnt), learnt: asLearnt })
    if (span === 'week')
      bands.push(bandOf({ startsAt, levels: learntAs.levels, values: packed(learntAs.values) }, input.place))
    if (!load) continue
    const consumption = forecastLoad(ask, load)
    const profile = { recipe: 'profil' as const, learntDays: Math.min(28, daysIn(load)), weatherIssuedAt: null }
    add('consumption', made(consumption, load, startsAt, profile))
    const surplus = forecastSurplus(production, consumption, pastOf(said, span, startsAt, fine, load))
    const chance = Uint8Array.from(surplus.chance, (part) => (part === null ? UNKNOWN : Math.round(part * 100)))
    add('surplus', { ...made(surplus, surplusSeries(fine, load), startsAt, learnt), chance })
    said.push({ span, startsAt, step, net: netOf(middleOf(production), middleOf(consumption)) })
  }
  return issues
}

/** Learns, then says: for each day with what was known before it, the days before it first. */
const issue: Task<IssueInput, IssueOutput> = (input) => {
  const model = input.model ?? learn(input)
  const past = { said: [...input.said], bands: input.bands.map((band) => bandOf(band, input.place)) }
  const issues = input.asks
    .toSorted((a, b) => a.issuedAt - b.issuedAt)
    .flatMap((ask) => issueDay(input, model, ask, past))
  const moved = issues.flatMap(({ values, persistence }) => [values.buffer, persistence.buffer] as ArrayBuffer[]) // made here
  return { value: { model, issues }, moved }
}
export default issue
