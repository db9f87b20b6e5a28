import type { Forecast, ForecastKind, ForecastSpan } from '@voisol/contract/forecasts'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { MISSING, type Series } from '@voisol/energy/series'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { instantOf, intsOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { connections, issuedForecasts } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { daysOf } from './day-bands.ts'
import { type IssuedRow, levelsOf, stepOf } from './issued.ts'
import { findSubject, type Named } from './scope.ts'
import { measuring, scoresBefore } from './score.ts'
import { sceneOf } from './subjects.ts'
import { DAYS } from './task-types.ts'

export type Query = {
  operationId: string
  pointId?: string | undefined
  kind: ForecastKind
  span: ForecastSpan
  day?: string | undefined
}

/** Days shown before the start, and days whose errors tell of the next. */
const BEFORE = 1
const PAST_DAYS = 60

/** That of a day; without one, the last that was issued. A plant that has moved is foreseen elsewhere: that is not of here. */
async function findIssue(
  db: Db,
  companyId: number,
  { operationId, pointId }: Named,
  { kind, span, day }: Query,
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
        day ? eq(issuedForecasts.issuedOn, day) : lte(issuedForecasts.issuedOn, today()),
      ),
    )
    .orderBy(desc(issuedForecasts.issuedOn))
    .limit(1)
  return row
}

export async function hasWeather(db: Db, companyId: number): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(connections)
    .where(and(eq(connections.companyId, companyId), eq(connections.kind, 'weather'), eq(connections.state, 'active')))
    .limit(1)
  return found.length > 0
}

const shown = (watts: ArrayLike<number>) => Array.from(watts, (value) => (value < 0 ? null : value))

async function measuredOf(db: Db, row: IssuedRow, from: string, to: string): Promise<Series> {
  const scene = await sceneOf(db, row.companyId, row.operationId)
  const end = to < today() ? to : today()
  const none = { startsAt: dayStart(from), step: stepOf(row.step), watts: new Int32Array(0) }
  return scene && from < end ? measuring(db, scene, { from, to: end })(row) : none
}

/** One forecast as it was issued, beside what has been measured since. */
export async function forecastOf(db: Db, actor: Actor, query: Query): Promise<Forecast | null> {
  const { companyId } = actor
  const named = await findSubject(db, actor, query)
  const row = await findIssue(db, companyId, named, query)
  if (!row) return null
  const { issuedOn, steps } = row
  const step = stepOf(row.step)
  const startsAt = dayStart(issuedOn)
  const from = addDays(issuedOn, -BEFORE)
  const read = await measuredOf(db, row, from, addDays(issuedOn, DAYS[query.span]))
  const lead = (startsAt - dayStart(from)) / step
  const measured = Int32Array.from({ length: steps }, (_, at) => read.watts[lead + at] ?? MISSING)
  const [low = measured, middle = measured, high = measured] = levelsOf(row)
  const persistence = intsOf(row.persistence)
  const past = { from: addDays(issuedOn, -PAST_DAYS), to: issuedOn }
  const scores = await scoresBefore(db, companyId, named, row.kind, past)
  return {
    ...named,
    kind: query.kind,
    span: query.span,
    issuedOn,
    issuedAt: row.issuedAt.toISOString(),
    rebuilt: row.rebuilt,
    knownUntil: row.knownUntil?.toISOString() ?? null,
    startsAt: instantOf(startsAt),
    step,
    low: shown(low),
    middle: shown(middle),
    high: shown(high),
    persistence: shown(persistence),
    measured: shown(measured),
    before: shown(Int32Array.from({ length: lead }, (_, at) => read.watts[at] ?? MISSING)),
    weatherSteps: row.source.reduce((sum, one) => sum + one, 0),
    weatherIssuedAt: row.weatherIssuedAt?.toISOString() ?? null,
    weatherConnected: await hasWeather(db, companyId),
    recipe: row.recipe as Forecast['recipe'], // written by keepIssues alone
    version: row.version,
    learntDays: row.learntDays,
    silent: row.silent.length,
    days: daysOf(issuedOn, DAYS[query.span], { startsAt, step, low, middle, high, persistence, measured }, scores),
  }
}
