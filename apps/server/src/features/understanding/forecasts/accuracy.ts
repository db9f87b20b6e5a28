import {
  type ForecastAccuracy,
  type ForecastHorizon,
  type ForecastKind,
  ForecastHorizon as Horizons,
} from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { computeSkill } from '@voisol/energy/forecast/score'
import type { Db } from '../../../db/client.ts'
import type { forecastScores } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { requireSubject } from './scope.ts'
import { listScores } from './score.ts'

/** With fewer scored days no accuracy is shown. */
export const MIN_SCORED_DAYS = 14
export const ACCURACY_WINDOW_DAYS = 90

type ForecastScore = typeof forecastScores.$inferSelect

/** 0–24 h, 24–48 h, days 3 to 7. */
const getHorizon = (lead: number): ForecastHorizon => (lead === 0 ? 'first' : lead === 1 ? 'second' : 'later')

const UNKNOWN_ACCURACY = {
  nMAE: null,
  persistence: null,
  bias: null,
  skill: null,
  coverage: null,
  openCoverage: null,
  pinball: null,
}

export function computeAccuracy(horizon: ForecastHorizon, scores: ForecastScore[]): ForecastAccuracy {
  const own = scores.filter(({ lead }) => getHorizon(lead) === horizon)
  const sum = (value: (score: ForecastScore) => number) => own.reduce((total, score) => total + value(score), 0)
  const days = new Set(own.map(({ day }) => day)).size
  const steps = sum((score) => score.steps)
  // Errors are relative to peak power, or for consumption to measured energy.
  const scale = sum((score) => (score.peakWatts === null ? score.measured : score.peakWatts * score.steps))
  if (days < MIN_SCORED_DAYS || scale <= 0) return { horizon, days, steps, ...UNKNOWN_ACCURACY }
  const band = sum((score) => score.bandSteps)
  const open = sum((score) => score.openSteps ?? 0)
  const [error, persisted] = [sum((score) => score.absolute), sum((score) => score.persistence)]
  return {
    horizon,
    days,
    steps,
    nMAE: error / scale,
    persistence: persisted / scale,
    bias: sum((score) => score.signed) / scale,
    skill: persisted > 0 ? computeSkill(error, persisted) : null,
    coverage: band > 0 ? sum((score) => score.covered) / band : null,
    openCoverage: open > 0 ? sum((score) => score.openCovered ?? 0) / open : null,
    pinball: band > 0 ? (sum((score) => score.pinball) / band) * (steps / scale) : null,
  }
}

type AccuracyQuery = { operationId: string; pointId?: string | undefined; kind: ForecastKind }

/** From forecasts and measurements of the last three months, on the same rows for the forecast and for persistence. */
export async function loadAccuracy(db: Db, actor: Actor, query: AccuracyQuery) {
  const subject = await requireSubject(db, actor, query)
  const days = { from: addDays(getToday(), -ACCURACY_WINDOW_DAYS), to: getToday() }
  const scores = await listScores(db, actor.companyId, subject, query.kind, days)
  return { ...days, least: MIN_SCORED_DAYS, items: Horizons.options.map((horizon) => computeAccuracy(horizon, scores)) }
}
