import type { Reply } from '@voisol/contract/endpoint'
import type { energy, Granularity } from '@voisol/contract/energy'
import { MOST_DAYS } from '@voisol/contract/granularity'
import { rates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Side } from './buckets.ts'
import { isWhole, selectCrews } from './crews.ts'
import { readBounds } from './period.ts'
import { type Selection, selectMembers } from './scope.ts'
import { columnsOf, keptColumns } from './series.ts'

type Query = Selection & { startDate: string; endDate: string; granularity: Granularity }
type Direction = 'production' | 'consumption'

const unit = 'kWh' as const
const toKwh = (wattMinutes: number) => Math.round((wattMinutes / 60) * 1000) / 1_000_000
const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** The buckets that have a part within the bounds. */
async function read(db: Db, actor: Actor, query: Query, direction: Direction) {
  const bounds = readBounds(query.startDate, query.endDate, MOST_DAYS[query.granularity])
  const ours = <M extends { direction: Direction }>(members: M[]) =>
    members.filter((one) => one.direction === direction)
  const columns = isWhole(actor, query)
    ? await keptColumns(db, actor.companyId, ours(await selectCrews(db, actor, query)), bounds, query.granularity)
    : await columnsOf(db, actor.companyId, ours(await selectMembers(db, actor, query)), bounds, query.granularity)
  return columns.starts.flatMap((start, at) => {
    const next = columns.starts[at + 1] ?? bounds.endsAt
    return next > bounds.startsAt && start < bounds.endsAt ? [rowOf(start, columns[direction], at)] : []
  })
}

const rowOf = (start: number, side: Side, at: number) => ({
  timestamp: new Date(start * 60_000).toISOString(),
  read: side.known[at] ? (side.read[at] ?? 0) : null,
  local: side.held[at] ? (side.local[at] ?? 0) : null,
  rest: side.heldRest[at] ? (side.rest[at] ?? 0) : null,
})
const kwh = (value: number | null) => (value === null ? null : toKwh(value))
const known = (values: (number | null)[]) => values.filter((value) => value !== null)

export async function productionOf(db: Db, actor: Actor, query: Query): Promise<Reply<typeof energy.production>> {
  const rows = await read(db, actor, query, 'production')
  const produced = known(rows.map((row) => row.read))
  const total = sumOf(produced)
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      production: kwh(row.read),
      shared: kwh(row.local),
      surplus: kwh(row.rest),
      unit,
      weather: null,
    })),
    summary: {
      totalProduction: toKwh(total),
      averageProduction: produced.length ? toKwh(total / produced.length) : 0,
      peakProduction: toKwh(produced.reduce((max, value) => Math.max(max, value), 0)),
      unit,
    },
  }
}

export async function consumptionOf(db: Db, actor: Actor, query: Query): Promise<Reply<typeof energy.consumption>> {
  const rows = await read(db, actor, query, 'consumption')
  const local = sumOf(known(rows.map((row) => row.local)))
  const grid = sumOf(known(rows.map((row) => row.rest)))
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      consumption: kwh(row.read),
      selfConsumption: kwh(row.local),
      gridConsumption: kwh(row.rest),
      unit,
    })),
    summary: {
      totalConsumption: toKwh(sumOf(known(rows.map((row) => row.read)))),
      totalSelfConsumption: toKwh(local),
      totalGridConsumption: toKwh(grid),
      selfProductionRate: rates({ produced: 0, allocated: local, consumed: local + grid }).selfProduction,
      unit,
    },
  }
}
