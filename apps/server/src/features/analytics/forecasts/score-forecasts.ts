import {
  type ForecastAccuracy,
  type ForecastHorizon,
  type ForecastKind,
  ForecastHorizon as Horizons,
} from '@voisol/contract/forecasts'
import { addDays, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { computeSkill, scoreSteps } from '@voisol/energy/forecast/score'
import { computeHitRate } from '@voisol/energy/forecast/surplus'
import { MISSING, type PowerSeries } from '@voisol/energy/series'
import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { forecastScores, issuedForecasts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { requireSubject } from './forecast-subjects.ts'
import { computeBestHours, type IssuedRow, toStep, unpackLevels } from './issued-forecasts.ts'
import { computeSurplusSeries } from './net-forecast.ts'
import {
  type DayRange,
  type ForecastPoint,
  loadOperationPoints,
  type OperationPoints,
  sumMeasuredCurves,
} from './subject-curves.ts'
import { DAYS_BY_SPAN } from './task-types.ts'

type MeasuredSeriesLoader = (row: Pick<IssuedRow, 'subjectId' | 'kind' | 'step' | 'silent'>) => Promise<PowerSeries>

/** Loads the measured curve of a forecast's subject, once for all forecasts of it. */
export function createMeasuredSeriesLoader(db: Db, scene: OperationPoints, days: DayRange): MeasuredSeriesLoader {
  const { companyId, operationId, points } = scene
  const read = new Map<string, Promise<PowerSeries>>()
  const sum = (key: string, some: ForecastPoint[], step: number) => {
    const known = read.get(key) ?? sumMeasuredCurves(db, companyId, some, days, toStep(step))
    read.set(key, known)
    return known
  }
  return async ({ subjectId, kind, step, silent }) => {
    const side = (production: boolean) => {
      const whole = points.filter((point) => point.production === production && !silent.includes(point.id))
      const some = subjectId === operationId ? whole : points.filter(({ id }) => id === subjectId)
      return sum(`${subjectId} ${production} ${step} ${silent.join()}`, some, step)
    }
    if (kind === 'surplus') return computeSurplusSeries(await side(true), await side(false))
    return side(kind === 'production')
  }
}

/** The best hours announced the evening before, and those with real surplus. */
function countWindowHits(
  row: IssuedRow,
  day: string,
  measured: PowerSeries,
): { windowSteps: number; windowHits: number } {
  const noHits = { windowSteps: 0, windowHits: 0 }
  if (row.kind !== 'surplus' || day !== addDays(row.issuedOn, 1)) return noHits
  const hours = computeBestHours(row, day)
  const hits = hours && computeHitRate([hours], measured)
  return hits ? { windowSteps: hits.steps, windowHits: Math.round(hits.rate * hits.steps) } : noHits
}

/** The score of one forecast day; undefined when nothing was measured that day. */
function scoreForecastDay(
  row: IssuedRow,
  day: string,
  { startsAt, step, watts }: PowerSeries,
  place: OperationPoints['place'],
) {
  const own = toStep(row.step)
  const at = (dayStart(day) - dayStart(row.issuedOn)) / own
  const expected = stepsOfDay(day, own)
  const sliceDay = (all: Int32Array) => all.subarray(at, at + expected)
  const from = (dayStart(day) - startsAt) / step
  const sums = scoreSteps({
    startsAt: dayStart(day),
    step: own,
    measured: Int32Array.from({ length: expected }, (_, n) => watts[from + n] ?? MISSING),
    levels: row.levels,
    said: unpackLevels(row).map(sliceDay),
    persistence: sliceDay(unpackInts(row.persistence)),
    place,
    aboveZero: row.kind === 'surplus',
    atNight: row.kind === 'consumption',
  })
  return sums.steps > 0 ? { ...sums, expected, ...countWindowHits(row, day, { startsAt, step, watts }) } : undefined
}

async function loadFirstIssueDay(db: Db, companyId: number, operationId: string): Promise<string | null> {
  const [row] = await db
    .select({ day: sql<string | null>`min(${issuedForecasts.issuedOn})::text` })
    .from(issuedForecasts)
    .where(and(eq(issuedForecasts.companyId, companyId), eq(issuedForecasts.operationId, operationId)))
  return row?.day ?? null
}

/** The first recent day scored before open bands were counted; null when none is left. */
export async function loadFirstOutdatedScoreDay(
  db: Db,
  companyId: number,
  operationId: string,
  since: string,
): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select min(s.day)::text as day from forecast_scores s
      join issued_forecasts f on f.company_id = s.company_id and f.id = s.forecast_id
     where s.company_id = ${companyId} and f.operation_id = ${operationId} and s.day >= ${since} and s.open_steps is null`)
  return rows[0]?.day ?? null
}

type ScoreDaysInput = { companyId: number; operationId: string; from: string; to: string }
type NewForecastScore = typeof forecastScores.$inferInsert

/** Serialises scoring, so that the last one to write has read the newest curves. */
const lockScores = (tx: Db, companyId: number, operationId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`forecast scores ${companyId} ${operationId}`}, 0))`)

/** Scores forecasts against measurements of the days [from, to), each time again since curves are corrected. */
export const scoreForecasts = ({ db }: Pick<Deps, 'db'>, input: ScoreDaysInput): Promise<void> =>
  transaction(scopeToCompany(db, input.companyId), async (tx) => {
    await lockScores(tx, input.companyId, input.operationId)
    await scoreLockedForecasts(tx, input)
  })

async function scoreLockedForecasts(tx: Db, { companyId, operationId, ...days }: ScoreDaysInput): Promise<void> {
  const first = await loadFirstIssueDay(tx, companyId, operationId)
  if (!first) return
  // Years of readings may arrive at once, but only forecast days count.
  const from = days.from > first ? days.from : first
  const to = days.to < getToday() ? days.to : getToday()
  const scene = from < to ? await loadOperationPoints(tx, companyId, operationId) : undefined
  if (!scene) return
  const measured = createMeasuredSeriesLoader(tx, scene, { from, to })
  // A forecast of a week before still covers the first of these days.
  for (const issuedOn of listDays(addDays(from, 1 - DAYS_BY_SPAN.week), to)) {
    const rows = await tx
      .select()
      .from(issuedForecasts)
      .where(
        and(
          eq(issuedForecasts.companyId, companyId),
          eq(issuedForecasts.operationId, operationId),
          eq(issuedForecasts.issuedOn, issuedOn),
          // Hourly forecasts at every lead: those at the finer step split the same hours.
          eq(issuedForecasts.span, 'week'),
        ),
      )
    const scores: NewForecastScore[] = []
    for (const row of rows) {
      const series = await measured(row)
      for (let lead = 0; lead < DAYS_BY_SPAN.week; lead++) {
        const day = addDays(issuedOn, lead)
        const sums = day >= from && day < to ? scoreForecastDay(row, day, series, scene.place) : undefined
        const { subjectId, kind, peakWatts, id: forecastId } = row
        const about = { companyId, forecastId, day, subjectId, kind, issuedOn, lead, peakWatts }
        if (sums) scores.push({ ...about, ...sums, scoredAt: new Date() })
      }
    }
    await replaceScores(tx, companyId, rows, scores, { from, to })
  }
}

/** A day whose curve was deleted loses its score. */
async function replaceScores(
  tx: Db,
  companyId: number,
  rows: IssuedRow[],
  scores: NewForecastScore[],
  { from, to }: DayRange,
) {
  if (!rows.length) return
  const ids = rows.map(({ id }) => id)
  await tx
    .delete(forecastScores)
    .where(
      and(
        eq(forecastScores.companyId, companyId),
        sql`${forecastScores.forecastId} = any(${sql.param(ids)}::uuid[])`,
        gte(forecastScores.day, from),
        lt(forecastScores.day, to),
      ),
    )
  if (scores.length) await tx.insert(forecastScores).values(scores)
}

type ScoredSubject = { operationId: string; pointId: string | null }

/** Recent scores of a subject and kind that were known when a forecast was issued. */
export const listScores = (
  db: Db,
  companyId: number,
  { operationId, pointId }: ScoredSubject,
  kind: string,
  days: DayRange,
) =>
  db
    .select()
    .from(forecastScores)
    .where(
      and(
        eq(forecastScores.companyId, companyId),
        eq(forecastScores.subjectId, pointId ?? operationId),
        pointId === null
          ? undefined
          : sql`exists (select 1 from issued_forecasts f where f.company_id = ${companyId}
              and f.id = ${forecastScores.forecastId} and f.operation_id = ${operationId})`,
        eq(forecastScores.kind, kind),
        gte(forecastScores.day, days.from),
        lt(forecastScores.day, days.to),
        gt(forecastScores.steps, 0),
      ),
    )
    .orderBy(forecastScores.day, forecastScores.lead)

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

function computeAccuracy(horizon: ForecastHorizon, scores: ForecastScore[]): ForecastAccuracy {
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
