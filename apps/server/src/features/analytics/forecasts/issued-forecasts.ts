import { addDays, dayStart } from '@voisol/energy/calendar'

import { type BestHours, findBestHours } from '@voisol/energy/forecast/surplus'
import { STEPS, type Step } from '@voisol/energy/series'
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { issuedForecasts } from '../../../db/schema/index.ts'
import { computeNet } from './net-forecast.ts'
import type { IssueSpan, PastNetForecast } from './task-types.ts'

export type IssuedRow = typeof issuedForecasts.$inferSelect
/**
 * Version of the forecast method: a new one refits models. Since 2, bands are those of the same hour and lead; since 3,
 * production bands follow past errors.
 */
export const RECIPE_VERSION = 3
/** Errors of this many days give the certainty of the next forecast. */
const NET_HISTORY_DAYS = 60

export const toStep = (minutes: number): Step => STEPS.find((step) => step === minutes) ?? 60

/** The values of each level, lowest first. */
export function unpackLevels({ values, levels, steps }: Pick<IssuedRow, 'values' | 'levels' | 'steps'>): Int32Array[] {
  const all = unpackInts(values)
  return levels.map((_, order) => all.subarray(order * steps, (order + 1) * steps))
}
const getMedianOfRow = (row: Pick<IssuedRow, 'values' | 'levels' | 'steps'>): Int32Array =>
  unpackLevels(row)[row.levels.indexOf(0.5)] ?? new Int32Array(0)

/** Forecast production minus consumption of the last weeks, oldest first. */
export async function listPastNetForecasts(
  db: Db,
  companyId: number,
  operationId: string,
  day: string,
): Promise<PastNetForecast[]> {
  const rows = await db
    .select()
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, operationId),
        inArray(issuedForecasts.kind, ['production', 'consumption']),
        lt(issuedForecasts.issuedOn, day),
        gte(issuedForecasts.issuedOn, addDays(day, -NET_HISTORY_DAYS)),
      ),
    )
    .orderBy(issuedForecasts.issuedOn)
  const pairs = Map.groupBy(rows, ({ issuedOn, span }) => `${issuedOn} ${span}`)
  return [...pairs.values()].flatMap((pair): PastNetForecast[] => {
    const [production, consumption] = ['production', 'consumption'].map((kind) => pair.find((row) => row.kind === kind))
    if (!production || !consumption || production.step !== consumption.step) return []
    const net = computeNet(getMedianOfRow(production), getMedianOfRow(consumption))
    return [
      {
        span: production.span as IssueSpan,
        startsAt: dayStart(production.issuedOn),
        step: toStep(production.step),
        net,
      },
    ] // checked by the table
  })
}

/** The days on which an operation's own production was forecast. */
export async function listIssuedDays(db: Db, companyId: number, subjectId: string, from: string): Promise<Set<string>> {
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

const UNKNOWN_CHANCE = 255

/** Whether enough past errors are known to give a certainty. */
export const hasKnownChance = ({ chance }: Pick<IssuedRow, 'chance'>): boolean =>
  chance?.some((part) => part !== UNKNOWN_CHANCE) ?? false

/** The hours of a day with a sufficiently certain surplus; null when there are none. */
export function computeBestHours(row: IssuedRow, day: string): BestHours | null {
  const { levels, steps, chance, issuedOn, step } = row
  if (!chance) return null
  const parts = Array.from(chance, (part) => (part === UNKNOWN_CHANCE ? null : part / 100))
  const source = Array.from({ length: steps }, () => 'history' as const)
  return findBestHours(
    { startsAt: dayStart(issuedOn), step: toStep(step), levels, values: unpackLevels(row), source, chance: parts },
    day,
  )
}
