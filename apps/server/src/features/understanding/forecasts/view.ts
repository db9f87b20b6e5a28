import type { Forecast, ForecastKind, ForecastRange } from '@voisol/contract/forecasts'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { MISSING, type PowerSeries } from '@voisol/energy/series'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { formatMinuteAsIso, unpackInts } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { connections, issuedForecasts } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { buildForecastDays } from './day-bands.ts'
import { type IssuedRow, toStep, unpackLevels } from './issued.ts'
import { type ForecastSubjectNames, requireSubject } from './scope.ts'
import { createMeasuredSeriesLoader, listScores } from './score.ts'
import { loadOperationPoints } from './subjects.ts'
import { DAYS_BY_SPAN } from './task-types.ts'

export type ForecastQuery = {
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

export async function hasWeatherConnection(db: Db, companyId: number): Promise<boolean> {
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
