import { daysBetween, listDays } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { column } from './columns.ts'
import { type Seat, sideOf } from './crews.ts'
import type { Spans } from './fresh.ts'
import { keptOver } from './kept-sums.ts'
import type { Period } from './period.ts'
import { operationsOf } from './pieces.ts'
import type { Shared } from './sums.ts'
import { groupsOf, toWh } from './totals.ts'

type Spark = (number | null)[]
const SPARKS = 31
const sizeOf = (days: number) => Math.ceil(days / SPARKS)
const CONSUMED = sideOf({ direction: 'consumption', storage: false })

/** At most 31 values: a day each, or as many days as it takes. */
export function sparkline(days: string[], energyOf: (day: string) => number | null): Spark {
  const size = sizeOf(days.length)
  return Array.from({ length: Math.ceil(days.length / size) }, (_, at) => {
    const known = days
      .slice(at * size, (at + 1) * size)
      .map(energyOf)
      .filter((value) => value !== null)
    return known.length ? toWh(known.reduce((sum, value) => sum + value, 0)) : null
  })
}

/** The same parts as days of a period: a day each, or as many days as it takes. */
export function sparkParts({ from, to }: Period): Period[] {
  const days = [...listDays(from, to), to]
  const size = sizeOf(days.length - 1)
  return Array.from({ length: Math.ceil((days.length - 1) / size) }, (_, at) => ({
    from: days[at * size] ?? from,
    to: days[Math.min((at + 1) * size, days.length - 1)] ?? to,
  }))
}

const localOf = (sum: Shared | undefined) => (sum && sum.steps > sum.excluded ? toWh(sum.local) : null)

/** What the consumers of each operation were given in each part; null where no step of it counts. */
export async function sparksOf(
  db: Db,
  companyId: number,
  crews: Seat[],
  period: Period,
  stale: Spans,
): Promise<Map<string, Spark>> {
  const parts = sparkParts(period)
  const { kept = [], late = [] } = Object.groupBy(crews, ({ operationId }) =>
    stale.has(operationId) ? 'late' : 'kept',
  )
  const sparks = await keptSparks(db, companyId, operationsOf(kept), period, parts.length)
  if (!late.length) return sparks
  const groupOf = groupsOf(late)
  const { run } = await keptOver(db, companyId, late, parts, 'whole', groupOf)
  for (const id of operationsOf(late))
    sparks.set(
      id,
      parts.map((_, nth) => localOf(run.get(groupOf(id, nth) + CONSUMED)?.get(''))),
    )
  return sparks
}

/** A row an operation: asked part by part, three hundred of them are ten thousand questions and as many sums of all that is kept. */
async function keptSparks(db: Db, companyId: number, ids: string[], { from, to }: Period, length: number) {
  const size = sizeOf(daysBetween(from, to))
  const those = sql`operation_days where company_id = ${companyId} and operation_id = any(${column(ids)}::uuid[])
    and side = ${CONSUMED} and day >= ${from} and day < ${to}`
  // A day each is a row each: put together by the operation and the day, ten thousand would cost as much again.
  const parts =
    size === 1
      ? sql`select operation_id, day - ${from}::date as nth, local from ${those} and steps > excluded`
      : sql`select operation_id, (day - ${from}::date) / ${size}::int as nth, sum(local::float8) as local from ${those}
             group by 1, 2 having sum(steps) > sum(excluded)`
  const { rows } = await db.execute<{ id: string; local: Record<string, number> }>(sql`
    select operation_id as id, json_object_agg(nth, local) as local from (${parts}) s group by 1`)
  const nothing: [string, Spark][] = ids.map((id) => [id, Array.from({ length }, () => null)])
  const found = rows.map(({ id, local }): [string, Spark] => [
    id,
    Array.from({ length }, (_, nth) => (local[nth] === undefined ? null : toWh(local[nth]))),
  ])
  return new Map([...nothing, ...found])
}
