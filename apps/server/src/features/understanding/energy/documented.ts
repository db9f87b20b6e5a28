import type { EndpointReply } from '@voisol/contract/endpoint'
import type { energy, Granularity } from '@voisol/contract/energy'
import { MAX_DAYS_BY_GRANULARITY } from '@voisol/contract/granularity'
import { computeRates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { SideColumns } from './buckets.ts'
import { listParticipationGroups, readsWholeOperations } from './crews.ts'
import { parseBounds } from './period.ts'
import { listReadableMembers, type MemberSelection } from './scope.ts'
import { loadMemberColumns, loadRollupColumns } from './series.ts'

type DocumentedQuery = MemberSelection & { startDate: string; endDate: string; granularity: Granularity }
type Direction = 'production' | 'consumption'

const KWH_UNIT = 'kWh' as const
const toKwh = (wattMinutes: number) => Math.round((wattMinutes / 60) * 1000) / 1_000_000
const sumValues = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** The buckets that overlap the bounds. */
async function loadDirectionRows(db: Db, actor: Actor, query: DocumentedQuery, direction: Direction) {
  const bounds = parseBounds(query.startDate, query.endDate, MAX_DAYS_BY_GRANULARITY[query.granularity])
  const keepDirection = <M extends { direction: Direction }>(members: M[]) =>
    members.filter((one) => one.direction === direction)
  const columns = readsWholeOperations(actor, query)
    ? await loadRollupColumns(
        db,
        actor.companyId,
        keepDirection(await listParticipationGroups(db, actor, query)),
        bounds,
        query.granularity,
      )
    : await loadMemberColumns(
        db,
        actor.companyId,
        keepDirection(await listReadableMembers(db, actor, query)),
        bounds,
        query.granularity,
      )
  return columns.starts.flatMap((start, at) => {
    const next = columns.starts[at + 1] ?? bounds.endsAt
    return next > bounds.startsAt && start < bounds.endsAt ? [toDirectionRow(start, columns[direction], at)] : []
  })
}

const toDirectionRow = (start: number, side: SideColumns, at: number) => ({
  timestamp: new Date(start * 60_000).toISOString(),
  read: side.known[at] ? (side.read[at] ?? 0) : null,
  local: side.held[at] ? (side.local[at] ?? 0) : null,
  rest: side.heldRest[at] ? (side.rest[at] ?? 0) : null,
})
const toNullableKwh = (value: number | null) => (value === null ? null : toKwh(value))
const keepKnownValues = (values: (number | null)[]) => values.filter((value) => value !== null)

export async function loadProductionSeries(
  db: Db,
  actor: Actor,
  query: DocumentedQuery,
): Promise<EndpointReply<typeof energy.production>> {
  const rows = await loadDirectionRows(db, actor, query, 'production')
  const produced = keepKnownValues(rows.map((row) => row.read))
  const total = sumValues(produced)
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      production: toNullableKwh(row.read),
      shared: toNullableKwh(row.local),
      surplus: toNullableKwh(row.rest),
      unit: KWH_UNIT,
      weather: null,
    })),
    summary: {
      totalProduction: toKwh(total),
      averageProduction: produced.length ? toKwh(total / produced.length) : 0,
      peakProduction: toKwh(produced.reduce((max, value) => Math.max(max, value), 0)),
      unit: KWH_UNIT,
    },
  }
}

export async function loadConsumptionSeries(
  db: Db,
  actor: Actor,
  query: DocumentedQuery,
): Promise<EndpointReply<typeof energy.consumption>> {
  const rows = await loadDirectionRows(db, actor, query, 'consumption')
  const local = sumValues(keepKnownValues(rows.map((row) => row.local)))
  const grid = sumValues(keepKnownValues(rows.map((row) => row.rest)))
  return {
    data: rows.map((row) => ({
      timestamp: row.timestamp,
      consumption: toNullableKwh(row.read),
      selfConsumption: toNullableKwh(row.local),
      gridConsumption: toNullableKwh(row.rest),
      unit: KWH_UNIT,
    })),
    summary: {
      totalConsumption: toKwh(sumValues(keepKnownValues(rows.map((row) => row.read)))),
      totalSelfConsumption: toKwh(local),
      totalGridConsumption: toKwh(grid),
      selfProductionRate: computeRates({ produced: 0, allocated: local, consumed: local + grid }).selfProduction,
      unit: KWH_UNIT,
    },
  }
}
