import { dayStart } from '@voisol/energy/calendar'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import { unpackInts } from '../../../core/readings.ts'
import { issuedForecasts, points } from '../../../db/schema/index.ts'
import {
  type DataRow,
  type DataSetQuery,
  type DataSetSource,
  dayColumn,
  instantColumn,
  int32Column,
  OPERATION_COLUMN,
  textColumn,
  toColumnTable,
  whereDayInPeriod,
} from './data-set.ts'

const FORECAST_COLUMNS = [
  OPERATION_COLUMN,
  textColumn('prm', 'Numéro de la centrale\u00a0; vide pour l’opération entière'),
  textColumn('kind', 'production, consumption ou surplus'),
  dayColumn('issued_on', 'Jour de l’émission'),
  instantColumn('issued_at', 'Moment de l’émission', 'UTC'),
  textColumn('rebuilt', 'true\u00a0: dite plus tard, avec ce qui était connu ce jour-là'),
  instantColumn('at', 'Début de l’heure prévue', 'UTC'),
  int32Column('step_minutes', 'Durée du pas', 'min'),
  int32Column('low_watts', 'Borne basse de la bande de 80\u00a0%, vide où elle n’est pas dite', 'W'),
  int32Column('median_watts', 'Médiane', 'W'),
  int32Column('high_watts', 'Borne haute', 'W'),
  int32Column('persistence_watts', 'Ce que disait le dernier jour connu', 'W'),
  textColumn('source', 'weather\u00a0: avec la météo annoncée\u00a0; history\u00a0: sans elle'),
]

/** Each forecast holds a week of hourly values. */
const FORECASTS_PER_BATCH = 25
const LEVEL_QUANTILES = { low_watts: 0.1, median_watts: 0.5, high_watts: 0.9 }

const buildForecastFilter = (asking: DataSetQuery) =>
  and(
    eq(issuedForecasts.companyId, asking.actor.companyId),
    withinOperationLimit(asking.actor, issuedForecasts.operationId),
    asking.operationId ? eq(issuedForecasts.operationId, asking.operationId) : undefined,
    whereDayInPeriod(issuedForecasts.issuedOn, asking),
    // Forecasts by step repeat the same hours in smaller pieces.
    eq(issuedForecasts.span, 'week'),
  )

const toWattsOrNull = (watts: number | undefined) => (watts === undefined || watts < 0 ? null : watts)

function toForecastRows(forecast: typeof issuedForecasts.$inferSelect, prm: string | null): DataRow[] {
  const { levels, steps, step, issuedOn } = forecast
  const [values, persistence] = [unpackInts(forecast.values), unpackInts(forecast.persistence)]
  const level = (name: keyof typeof LEVEL_QUANTILES, at: number) => {
    const order = levels.indexOf(LEVEL_QUANTILES[name])
    return order < 0 ? null : toWattsOrNull(values[order * steps + at])
  }
  return Array.from({ length: steps }, (_, at) => ({
    operation_id: forecast.operationId,
    prm,
    kind: forecast.kind,
    issued_on: issuedOn,
    issued_at: forecast.issuedAt,
    rebuilt: String(forecast.rebuilt),
    at: new Date((dayStart(issuedOn) + at * step) * 60_000),
    step_minutes: step,
    low_watts: level('low_watts', at),
    median_watts: level('median_watts', at),
    high_watts: level('high_watts', at),
    persistence_watts: toWattsOrNull(persistence[at]),
    source: forecast.source[at] === 1 ? 'weather' : 'history',
  }))
}

async function loadForecastPage(asking: DataSetQuery, after: string) {
  const [on, id] = after.split(' ')
  return asking.db
    .select({ said: issuedForecasts, prm: points.prm })
    .from(issuedForecasts)
    .leftJoin(points, and(eq(points.companyId, issuedForecasts.companyId), eq(points.id, issuedForecasts.subjectId)))
    .where(
      and(
        buildForecastFilter(asking),
        after ? sql`(${issuedForecasts.issuedOn}, ${issuedForecasts.id}) > (${on}::date, ${id}::uuid)` : undefined,
      ),
    )
    .orderBy(asc(issuedForecasts.issuedOn), asc(issuedForecasts.id))
    .limit(FORECASTS_PER_BATCH)
}

export const forecastSource: DataSetSource = {
  about: 'Une ligne par prévision et par heure, telle qu’elle fut émise\u00a0: rien n’en est recalculé.',
  columns: FORECAST_COLUMNS,
  async *read(asking, from) {
    for (let cursor = from; ; ) {
      const found = await loadForecastPage(asking, cursor)
      const last = found.at(-1)?.said
      if (!last) return
      cursor = `${last.issuedOn} ${last.id}`
      const rows = found.flatMap(({ said, prm }) => toForecastRows(said, prm))
      yield { cursor, size: rows.length, data: toColumnTable(FORECAST_COLUMNS, rows) }
    }
  },
  async count(asking) {
    const [sum] = await asking.db.select({ n: count() }).from(issuedForecasts).where(buildForecastFilter(asking))
    return (sum?.n ?? 0) * 168
  },
}
