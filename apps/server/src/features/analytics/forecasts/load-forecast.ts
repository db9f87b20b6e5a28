import type { FileReply } from '@voisol/contract/endpoint'
import type { Forecast, ForecastDay, ForecastKind, ForecastRange } from '@voisol/contract/forecasts'
import { addDays, dayStart, minutesOfDay, stepsOfDay } from '@voisol/energy/calendar'
import { computePredictiveQuantile } from '@voisol/energy/forecast/quantile'
import { MISSING, type PowerSeries, type Step } from '@voisol/energy/series'
import { formatFrenchTime } from '@voisol/file-formats/french'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { formatMinuteAsIso, unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { connections, type forecastScores, issuedForecasts } from '../../../db/schema/index.ts'
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { getToday } from '../../../today.ts'
import { type ForecastSubjectNames, requireSubject } from './forecast-subjects.ts'
import { type IssuedRow, toStep, unpackLevels } from './issued-forecasts.ts'
import { createMeasuredSeriesLoader, listScores } from './score-forecasts.ts'
import { loadOperationPoints } from './subject-curves.ts'
import { DAYS_BY_SPAN } from './task-types.ts'

type ForecastQuery = {
  operationId: string
  pointId?: string | undefined
  kind: ForecastKind
  span: ForecastRange
  day?: string | undefined
}

/** Days shown before the start, and days of errors for the daily band. */
const DAYS_SHOWN_BEFORE = 1
const DAY_BAND_HISTORY_DAYS = 60

/** The forecast of a day, or the last one. Those of a plant now in another operation are excluded. */
async function findIssuedForecast(
  db: Db,
  companyId: number,
  { operationId, pointId }: ForecastSubjectNames,
  { kind, span, day }: ForecastQuery,
): Promise<IssuedRow | undefined> {
  const [row] = await db
    .select()
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.operationId, operationId),
        eq(issuedForecasts.subjectId, pointId ?? operationId),
        eq(issuedForecasts.kind, kind),
        eq(issuedForecasts.span, span),
        day ? eq(issuedForecasts.issuedOn, day) : lte(issuedForecasts.issuedOn, getToday()),
      ),
    )
    .orderBy(desc(issuedForecasts.issuedOn))
    .limit(1)
  return row
}

async function hasWeatherConnection(db: Db, companyId: number): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.kind, 'weather'), eq(connections.state, 'active')))
    .limit(1)
  return found.length > 0
}

const toNullableWatts = (watts: ArrayLike<number>) => Array.from(watts, (value) => (value < 0 ? null : value))

async function loadMeasuredSeries(db: Db, row: IssuedRow, from: string, to: string): Promise<PowerSeries> {
  const operationPoints = await loadOperationPoints(db, row.companyId, row.operationId)
  const end = to < getToday() ? to : getToday()
  const emptySeries = { startsAt: dayStart(from), step: toStep(row.step), watts: new Int32Array(0) }
  return operationPoints && from < end
    ? createMeasuredSeriesLoader(db, operationPoints, { from, to: end })(row)
    : emptySeries
}

/** A forecast as issued, beside what was measured since. */
export async function loadForecast(db: Db, actor: Actor, query: ForecastQuery): Promise<Forecast | null> {
  const { companyId } = actor
  const subject = await requireSubject(db, actor, query)
  const row = await findIssuedForecast(db, companyId, subject, query)
  if (!row) return null
  const { issuedOn, steps } = row
  const step = toStep(row.step)
  const startsAt = dayStart(issuedOn)
  const from = addDays(issuedOn, -DAYS_SHOWN_BEFORE)
  const measuredSeries = await loadMeasuredSeries(db, row, from, addDays(issuedOn, DAYS_BY_SPAN[query.span]))
  const lead = (startsAt - dayStart(from)) / step
  const measured = Int32Array.from({ length: steps }, (_, at) => measuredSeries.watts[lead + at] ?? MISSING)
  const [low = measured, middle = measured, high = measured] = unpackLevels(row)
  const persistence = unpackInts(row.persistence)
  const past = { from: addDays(issuedOn, -DAY_BAND_HISTORY_DAYS), to: issuedOn }
  const scores = await listScores(db, companyId, subject, row.kind, past)
  return {
    ...subject,
    kind: query.kind,
    span: query.span,
    issuedOn,
    issuedAt: row.issuedAt.toISOString(),
    rebuilt: row.rebuilt,
    knownUntil: row.knownUntil?.toISOString() ?? null,
    startsAt: formatMinuteAsIso(startsAt),
    step,
    low: toNullableWatts(low),
    middle: toNullableWatts(middle),
    high: toNullableWatts(high),
    persistence: toNullableWatts(persistence),
    measured: toNullableWatts(measured),
    before: toNullableWatts(Int32Array.from({ length: lead }, (_, at) => measuredSeries.watts[at] ?? MISSING)),
    weatherSteps: row.source.reduce((sum, one) => sum + one, 0),
    weatherIssuedAt: row.weatherIssuedAt?.toISOString() ?? null,
    weatherConnected: await hasWeatherConnection(db, companyId),
    recipe: row.recipe as Forecast['recipe'], // only written by `storeIssues`
    version: row.version,
    learntDays: row.learntDays,
    silent: row.silent.length,
    days: buildForecastDays(
      issuedOn,
      DAYS_BY_SPAN[query.span],
      { startsAt, step, low, middle, high, persistence, measured },
      scores,
    ),
  }
}

/** Whole days of errors needed for a daily band. */
const MIN_ERROR_DAYS = 14

type DayScore = Pick<typeof forecastScores.$inferSelect, 'day' | 'lead' | 'expected' | 'steps' | 'signed'>
type ForecastCurves = {
  startsAt: number
  step: Step
  low: Int32Array
  middle: Int32Array
  high: Int32Array
  persistence: Int32Array
  measured: Int32Array
}

const roundToInteger = (value: number) => Math.round(value)

/** Watt-hours of some steps; null when one is unknown. */
function computeEnergyWh(watts: Int32Array, at: number, steps: number, step: number): number | null {
  let sum = 0
  for (let n = at; n < at + steps; n++) {
    const value = watts[n] ?? MISSING
    if (value < 0) return null
    sum += value
  }
  return roundToInteger((sum * step) / 60)
}

/** Measured minus forecast energy, in watt-hours, of fully measured days at that lead. */
const listDayErrors = (scores: DayScore[], lead: number) =>
  scores
    .filter((score) => score.lead === lead && score.steps === score.expected)
    .map(({ signed, day, expected }) => (-signed * (minutesOfDay(day) / expected)) / 60)
    .sort((a, b) => a - b)

/** Quantiles of steps do not add up to those of a day, so the daily band comes from past daily errors. */
function buildForecastDays(issuedOn: string, days: number, curves: ForecastCurves, scores: DayScore[]): ForecastDay[] {
  const { startsAt, step } = curves
  return Array.from({ length: days }, (_, lead) => {
    const day = addDays(issuedOn, lead)
    const at = (dayStart(day) - startsAt) / step
    const sum = (watts: Int32Array) => computeEnergyWh(watts, at, stepsOfDay(day, step), step)
    const middle = sum(curves.middle)
    const errors = listDayErrors(scores, lead)
    const measured = { persistence: sum(curves.persistence), measured: sum(curves.measured) }
    if (middle === null || errors.length < MIN_ERROR_DAYS)
      return { day, middle, low: sum(curves.low), high: sum(curves.high), band: 'bounds', ...measured }
    const low = Math.max(0, roundToInteger(middle + Math.min(0, computePredictiveQuantile(errors, 0.1))))
    const high = roundToInteger(middle + Math.max(0, computePredictiveQuantile(errors, 0.9)))
    return { day, middle, low, high, band: 'measured', ...measured }
  })
}

const EXPORTED_COLUMNS = ['measured', 'middle', 'low', 'high', 'persistence'] as const
const COLUMN_TITLES = ['Mesuré (W)', 'Médiane (W)', 'Bas 10 % (W)', 'Haut 90 % (W)', 'Persistance (W)']

const toForecastRows = (forecast: Forecast): SpreadsheetCell[][] => {
  const first = Date.parse(forecast.startsAt) / 60_000
  const start = (at: number) => first + at * forecast.step
  return forecast.middle.map((_, at) => [
    formatFrenchTime(start(at)),
    new Date(start(at) * 60_000).toISOString(),
    ...EXPORTED_COLUMNS.map((name) => forecast[name][at] ?? null),
    forecast.issuedAt,
  ])
}

/** Mean watts of each step; empty when not measured or not forecast. */
export async function exportForecastFile(db: Db, actor: Actor, query: ForecastQuery): Promise<FileReply> {
  const forecast = await loadForecast(db, actor, query)
  if (!forecast) throw new AppError('not-found')
  const header = ['Début', 'Début (UTC)', ...COLUMN_TITLES, 'Émise le (UTC)']
  return {
    name: buildDatedFileName('prevision', 'csv'),
    type: 'text/csv; charset=utf-8',
    content: writeCsv(header, toForecastRows(forecast)),
  }
}
