import { daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { toSqlArray } from './columns.ts'
import { getSideIndex, type ParticipationGroup } from './crews.ts'
import type { StaleRanges } from './fresh.ts'
import { readRollups } from './kept-sums.ts'
import type { Period } from './period.ts'
import { listOperationIds } from './pieces.ts'
import type { AllocationSum } from './sums.ts'
import { createPeriodGroupResolver, toWh } from './totals.ts'

type Sparkline = (number | null)[]
const MAX_SPARKLINE_VALUES = 31
const getDaysPerValue = (days: number) => Math.ceil(days / MAX_SPARKLINE_VALUES)
const CONSUMPTION_SIDE = getSideIndex({ direction: 'consumption', storage: false })

/** At most 31 values, of one or more days each. */
export function buildSparkline(days: string[], energyOf: (day: string) => number | null): Sparkline {
  const size = getDaysPerValue(days.length)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, at) => {
    const known = days
      .slice(at * size, (at + 1) * size)
      .map(energyOf)
      .filter((value) => value !== null)
    return known.length ? toWh(known.reduce((sum, value) => sum + value, 0)) : null
  })
}

/** The same parts as ranges of days. */
export function splitIntoSparklineParts({ from, to }: Period): Period[] {
  const days = [...listDays(from, to), to]
  const size = getDaysPerValue(days.length - 1)
  return Array.from({ length: Math.ceil((days.length - 1) / size) }, (_, at) => ({
    from: days[at * size] ?? from,
    to: days[Math.min((at + 1) * size, days.length - 1)] ?? to,
  }))
}

const getLocalWh = (sum: AllocationSum | undefined) => (sum && sum.steps > sum.excluded ? toWh(sum.local) : null)

/** Local energy of each operation's consumers in each part; null when no step counts. */
export async function loadSparklines(
  db: Db,
  companyId: number,
  participationGroups: ParticipationGroup[],
  period: Period,
  stale: StaleRanges,
): Promise<Map<string, Sparkline>> {
  const parts = splitIntoSparklineParts(period)
  const { kept: freshGroups = [], late: staleGroups = [] } = Object.groupBy(participationGroups, ({ operationId }) =>
    stale.has(operationId) ? 'late' : 'kept',
  )
  const sparklines = await readSparklineRollups(db, companyId, listOperationIds(freshGroups), period, parts.length)
  if (!staleGroups.length) return sparklines
  const groupOf = createPeriodGroupResolver(staleGroups)
  const { run } = await readRollups(db, companyId, staleGroups, parts, 'whole', groupOf)
  for (const id of listOperationIds(staleGroups))
    sparklines.set(
      id,
      parts.map((_, nth) => getLocalWh(run.get(groupOf(id, nth) + CONSUMPTION_SIDE)?.get(''))),
    )
  return sparklines
}

/** One query for all: part by part, three hundred operations would be ten thousand queries. */
async function readSparklineRollups(db: Db, companyId: number, ids: string[], { from, to }: Period, length: number) {
  const size = getDaysPerValue(daysBetween(from, to))
  const daysSql = sql`operation_days where company_id = ${companyId} and operation_id = any(${toSqlArray(ids)}::uuid[])
    and side = ${CONSUMPTION_SIDE} and day >= ${from} and day < ${to}`
  // Parts of one day are read as they are: grouping ten thousand rows would double the cost.
  const parts =
    size === 1
      ? sql`select operation_id, day - ${from}::date as nth, local from ${daysSql} and steps > excluded`
      : sql`select operation_id, (day - ${from}::date) / ${size}::int as nth, sum(local::float8) as local from ${daysSql}
             group by 1, 2 having sum(steps) > sum(excluded)`
  const { rows } = await db.execute<{ id: string; local: Record<string, number> }>(sql`
    select operation_id as id, json_object_agg(nth, local) as local from (${parts}) s group by 1`)
  const emptySparklines: [string, Sparkline][] = ids.map((id) => [id, Array.from({ length }, () => null)])
  const found = rows.map(({ id, local }): [string, Sparkline] => [
    id,
    Array.from({ length }, (_, nth) => (local[nth] === undefined ? null : toWh(local[nth]))),
  ])
  return new Map([...emptySparklines, ...found])
}
