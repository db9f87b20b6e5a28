import { addDays, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { hitRate } from '@voisol/energy/forecast/best-hours'
import { scoreSteps } from '@voisol/energy/forecast/score-steps'
import { MISSING, type Series } from '@voisol/energy/series'
import { and, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { intsOf } from '../../../core/packed.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { forecastScores, issuedForecasts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { today } from '../../../today.ts'
import { type IssuedRow, levelsOf, stepOf } from './issued.ts'
import { surplusSeries } from './net.ts'
import { type Point, type Scene, sceneOf } from './subjects.ts'
import { type Days, measuredOf } from './sums.ts'
import { DAYS } from './task-types.ts'
import { hoursOf } from './window.ts'

type Measured = (row: Pick<IssuedRow, 'subjectId' | 'kind' | 'step' | 'silent'>) => Promise<Series>

/** The curve that a forecast speaks of, as the meters said it; read once for all that speak of it. */
export function measuring(db: Db, scene: Scene, days: Days): Measured {
  const { companyId, operationId, points } = scene
  const read = new Map<string, Promise<Series>>()
  const sum = (key: string, some: Point[], step: number) => {
    const known = read.get(key) ?? measuredOf(db, companyId, some, days, stepOf(step))
    read.set(key, known)
    return known
  }
  return async ({ subjectId, kind, step, silent }) => {
    const side = (production: boolean) => {
      const whole = points.filter((point) => point.production === production && !silent.includes(point.id))
      const some = subjectId === operationId ? whole : points.filter(({ id }) => id === subjectId)
      return sum(`${subjectId} ${production} ${step} ${silent.join()}`, some, step)
    }
    if (kind === 'surplus') return surplusSeries(await side(true), await side(false))
    return side(kind === 'production')
  }
}

/** The hours that the eve called the best, as they turned out. */
function hitsOf(row: IssuedRow, day: string, measured: Series): { windowSteps: number; windowHits: number } {
  const none = { windowSteps: 0, windowHits: 0 }
  if (row.kind !== 'surplus' || day !== addDays(row.issuedOn, 1)) return none
  const hours = hoursOf(row, day)
  const found = hours && hitRate([hours], measured)
  return found ? { windowSteps: found.steps, windowHits: Math.round(found.rate * found.steps) } : none
}

/** A day of a forecast beside what was measured; undefined where nothing of that day can be held against it. */
function scoreOf(row: IssuedRow, day: string, { startsAt, step, watts }: Series, place: Scene['place']) {
  const own = stepOf(row.step)
  const at = (dayStart(day) - dayStart(row.issuedOn)) / own
  const expected = stepsOfDay(day, own)
  const cut = (all: Int32Array) => all.subarray(at, at + expected)
  const from = (dayStart(day) - startsAt) / step
  const sums = scoreSteps({
    startsAt: dayStart(day),
    step: own,
    measured: Int32Array.from({ length: expected }, (_, n) => watts[from + n] ?? MISSING),
    levels: row.levels,
    said: levelsOf(row).map(cut),
    persistence: cut(intsOf(row.persistence)),
    place,
    aboveZero: row.kind === 'surplus',
    atNight: row.kind === 'consumption',
  })
  return sums.steps > 0 ? { ...sums, expected, ...hitsOf(row, day, { startsAt, step, watts }) } : undefined
}

async function firstIssue(db: Db, companyId: number, operationId: string): Promise<string | null> {
  const [row] = await db
    .select({ day: sql<string | null>`min(${issuedForecasts.issuedOn})::text` })
    .from(issuedForecasts)
    .where(and(eq(issuedForecasts.companyId, companyId), eq(issuedForecasts.operationId, operationId)))
  return row?.day ?? null
}

/** The first day of the last months whose score was kept before open bands were told apart; null where none is left. */
export async function firstOld(db: Db, companyId: number, operationId: string, since: string): Promise<string | null> {
  const { rows } = await db.execute<{ day: string | null }>(sql`
    select min(s.day)::text as day from forecast_scores s
      join issued_forecasts f on f.company_id = s.company_id and f.id = s.forecast_id
     where s.company_id = ${companyId} and f.operation_id = ${operationId} and s.day >= ${since} and s.open_steps is null`)
  return rows[0]?.day ?? null
}

type Wanted = { companyId: number; operationId: string; from: string; to: string }
type Score = typeof forecastScores.$inferInsert

/** Who comes second reads after the first has written: the last word is that of the newest curves. */
const takeTurn = (tx: Db, companyId: number, operationId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`forecast scores ${companyId} ${operationId}`}, 0))`)

/** Holds what was issued against what was measured on the days [from, to): anew each time, since curves are corrected. */
export const scoreDays = ({ db }: Pick<Deps, 'db'>, wanted: Wanted): Promise<void> =>
  transaction(forCompany(db, wanted.companyId), async (tx) => {
    await takeTurn(tx, wanted.companyId, wanted.operationId)
    await scoreInTurn(tx, wanted)
  })

async function scoreInTurn(tx: Db, { companyId, operationId, ...days }: Wanted): Promise<void> {
  const first = await firstIssue(tx, companyId, operationId)
  if (!first) return
  // Of years of readings that come at once, only the days that were forecast count.
  const from = days.from > first ? days.from : first
  const to = days.to < today() ? days.to : today()
  const scene = from < to ? await sceneOf(tx, companyId, operationId) : undefined
  if (!scene) return
  const measured = measuring(tx, scene, { from, to })
  // A forecast of a week before speaks of the first of these days.
  for (const issuedOn of listDays(addDays(from, 1 - DAYS.week), to)) {
    const rows = await tx
      .select()
      .from(issuedForecasts)
      .where(
        and(
          eq(issuedForecasts.companyId, companyId),
          eq(issuedForecasts.operationId, operationId),
          eq(issuedForecasts.issuedOn, issuedOn),
          // By the hour at every horizon: what is said step by step is the same hours, cut.
          eq(issuedForecasts.span, 'week'),
        ),
      )
    const scores: Score[] = []
    for (const row of rows) {
      const series = await measured(row)
      for (let lead = 0; lead < DAYS.week; lead++) {
        const day = addDays(issuedOn, lead)
        const sums = day >= from && day < to ? scoreOf(row, day, series, scene.place) : undefined
        const { subjectId, kind, peakWatts, id: forecastId } = row
        const about = { companyId, forecastId, day, subjectId, kind, issuedOn, lead, peakWatts }
        if (sums) scores.push({ ...about, ...sums, scoredAt: new Date() })
      }
    }
    await keepScores(tx, companyId, rows, scores, { from, to })
  }
}

/** A day whose curve was taken away loses its score. */
async function keepScores(tx: Db, companyId: number, rows: IssuedRow[], scores: Score[], { from, to }: Days) {
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

type Subject = { operationId: string; pointId: string | null }

/** Scores of a subject and kind over the last weeks, as far as they may tell of a forecast issued on a day. */
export const scoresBefore = (db: Db, companyId: number, { operationId, pointId }: Subject, kind: string, days: Days) =>
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
