import {
  type ForecastAccuracy,
  type ForecastHorizon,
  type ForecastKind,
  ForecastHorizon as Horizons,
} from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import { skill } from '@voisol/energy/forecast/score'
import type { Db } from '../../../db/client.ts'
import type { forecastScores } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { findSubject } from './scope.ts'
import { scoresBefore } from './score.ts'

/** Scored days under which nothing is said. */
export const LEAST_DAYS = 14
export const WINDOW_DAYS = 90

type Score = typeof forecastScores.$inferSelect

/** 0–24 h, 24–48 h, days 3 to 7. */
const horizonOf = (lead: number): ForecastHorizon => (lead === 0 ? 'first' : lead === 1 ? 'second' : 'later')

const UNSAID = {
  nMAE: null,
  persistence: null,
  bias: null,
  skill: null,
  coverage: null,
  openCoverage: null,
  pinball: null,
}

export function accuracyOf(horizon: ForecastHorizon, scores: Score[]): ForecastAccuracy {
  const own = scores.filter(({ lead }) => horizonOf(lead) === horizon)
  const sum = (value: (score: Score) => number) => own.reduce((total, score) => total + value(score), 0)
  const days = new Set(own.map(({ day }) => day)).size
  const steps = sum((score) => score.steps)
  // Errors are parts of the peak power; those of a consumption are parts of what was drawn.
  const scale = sum((score) => (score.peakWatts === null ? score.measured : score.peakWatts * score.steps))
  if (days < LEAST_DAYS || scale <= 0) return { horizon, days, steps, ...UNSAID }
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
    skill: persisted > 0 ? skill(error, persisted) : null,
    coverage: band > 0 ? sum((score) => score.covered) / band : null,
    openCoverage: open > 0 ? sum((score) => score.openCovered ?? 0) / open : null,
    pinball: band > 0 ? (sum((score) => score.pinball) / band) * (steps / scale) : null,
  }
}

type Query = { operationId: string; pointId?: string | undefined; kind: ForecastKind }

/** From what was issued and measured over the last three months; the same rows for the forecast and for persistence. */
export async function readAccuracy(db: Db, actor: Actor, query: Query) {
  const named = await findSubject(db, actor, query)
  const days = { from: addDays(today(), -WINDOW_DAYS), to: today() }
  const scores = await scoresBefore(db, actor.companyId, named, query.kind, days)
  return { ...days, least: LEAST_DAYS, items: Horizons.options.map((horizon) => accuracyOf(horizon, scores)) }
}
