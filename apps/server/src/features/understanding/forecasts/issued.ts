import { addDays, dayStart } from '@voisol/energy/calendar'
import type { Model } from '@voisol/energy/forecast'
import { STEPS, type Step } from '@voisol/energy/series'
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { intsOf } from '../../../core/packed.ts'
import type { Db } from '../../../db/client.ts'
import { forecastModels, issuedForecasts } from '../../../db/schema/index.ts'
import { netOf } from './net.ts'
import type { Issue, SaidBand, SaidNet, Span } from './task-types.ts'

export type IssuedRow = typeof issuedForecasts.$inferSelect
/** Of the recipes: another one learns anew. Since 2 bands are those of the same hour and lead; since 3 those of production follow what was missed. */
export const VERSION = 3
/** Errors of that many days tell how sure the next forecast is. */
const PAST_DAYS = 60
/** As far back as bands are moved by. */
const BAND_DAYS = 14

export const stepOf = (minutes: number): Step => STEPS.find((step) => step === minutes) ?? 60
const bytesOf = (ints: Int32Array) => Buffer.from(ints.buffer, ints.byteOffset, ints.byteLength)
const instant = (minute: number | null) => (minute === null ? null : new Date(minute * 60_000))

/** The values of a level, lowest first. */
export function levelsOf({ values, levels, steps }: Pick<IssuedRow, 'values' | 'levels' | 'steps'>): Int32Array[] {
  const all = intsOf(values)
  return levels.map((_, order) => all.subarray(order * steps, (order + 1) * steps))
}
export const middleOfRow = (row: Pick<IssuedRow, 'values' | 'levels' | 'steps'>): Int32Array =>
  levelsOf(row)[row.levels.indexOf(0.5)] ?? new Int32Array(0)

type About = {
  companyId: number
  operationId: string
  subjectId: string
  peakWatts: number
  silent: string[]
  /** Days of which it is said later. */
  rebuilt: ReadonlySet<string>
}

/** Keeps what was said, once: a second saying of the same day changes nothing. */
export async function keepIssues(tx: Db, { peakWatts, rebuilt, ...about }: About, issues: Issue[]): Promise<void> {
  const rows = issues.map(
    ({
      day,
      issuedAt,
      knownUntil,
      startsAt: _,
      values,
      learnt,
      persistence,
      source,
      chance,
      weatherIssuedAt,
      ...issue
    }) => ({
      ...about,
      ...issue,
      issuedOn: day,
      rebuilt: rebuilt.has(day),
      issuedAt: new Date(issuedAt * 60_000),
      knownUntil: instant(knownUntil),
      weatherIssuedAt: instant(weatherIssuedAt),
      values: bytesOf(values),
      learnt: learnt && bytesOf(learnt),
      persistence: bytesOf(persistence),
      source: Buffer.from(source),
      chance: chance && Buffer.from(chance),
      // A consumption is measured by itself.
      peakWatts: issue.kind === 'consumption' ? null : peakWatts,
      version: VERSION,
    }),
  )
  if (rows.length) await tx.insert(issuedForecasts).values(rows).onConflictDoNothing()
}

type Learnt = { companyId: number; operationId: string; subjectId: string; fittedOn: string; model: Model }

export const keepModel = (tx: Db, { model, ...row }: Learnt) => {
  const values = { ...row, model, version: VERSION, fittedAt: new Date() }
  const { fittedOn, operationId, version, fittedAt } = values
  const target = [forecastModels.companyId, forecastModels.subjectId]
  return tx
    .insert(forecastModels)
    .values(values)
    .onConflictDoUpdate({ target, set: { fittedOn, operationId, version, fittedAt, model } })
}

/** The differences of production and consumption as they were issued over the last weeks, oldest first. */
export async function saidBefore(db: Db, companyId: number, operationId: string, day: string): Promise<SaidNet[]> {
  const rows = await db
    .select()
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, operationId),
        inArray(issuedForecasts.kind, ['production', 'consumption']),
        lt(issuedForecasts.issuedOn, day),
        gte(issuedForecasts.issuedOn, addDays(day, -PAST_DAYS)),
      ),
    )
    .orderBy(issuedForecasts.issuedOn)
  const pairs = Map.groupBy(rows, ({ issuedOn, span }) => `${issuedOn} ${span}`)
  return [...pairs.values()].flatMap((pair): SaidNet[] => {
    const [made, used] = ['production', 'consumption'].map((kind) => pair.find((row) => row.kind === kind))
    if (!made || !used || made.step !== used.step) return []
    const net = netOf(middleOfRow(made), middleOfRow(used))
    return [{ span: made.span as Span, startsAt: dayStart(made.issuedOn), step: stepOf(made.step), net }] // checked by the table
  })
}

/** The weeks of production issued of late, as they were learnt, oldest first. */
export async function bandsBefore(db: Db, companyId: number, subjectId: string, day: string): Promise<SaidBand[]> {
  const { issuedOn, levels, values, learnt } = issuedForecasts
  const rows = await db
    .select({ issuedOn, levels, values, learnt })
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, subjectId),
        eq(issuedForecasts.kind, 'production'),
        eq(issuedForecasts.span, 'week'),
        lt(issuedOn, day),
        gte(issuedOn, addDays(day, -BAND_DAYS)),
      ),
    )
    .orderBy(issuedOn)
  return rows.map((row) => ({
    startsAt: dayStart(row.issuedOn),
    levels: row.levels,
    values: intsOf(row.learnt ?? row.values),
  }))
}

/** Which of the days an operation's own production has been forecast on. */
export async function issuedDays(db: Db, companyId: number, subjectId: string, from: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ day: sql<string>`${issuedForecasts.issuedOn}::text` })
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, subjectId),
        gte(issuedForecasts.issuedOn, from),
      ),
    )
  return new Set(rows.map(({ day }) => day))
}
