import { type CompareBy, type CompareRow, MAX_COMPARED_ROWS } from '@voisol/contract/analytics'
import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  type Co2Factors,
  loadEnergyTotals,
  loadEnergyTotalsByPeriod,
  loadTotalsByOperation,
  type Period,
  requirePeriod,
} from '../energy/energy.ts'
import { loadGroupCompareRows } from './group-lines.ts'
import { loadMemberCompareRows } from './member-lines.ts'

type CompareQuery = Period & { operationId?: string | undefined; by: CompareBy }
export type AnalyticsFilter = Omit<CompareQuery, 'by'>

/** Ten years of months are compared at most. */
const MAX_COMPARED_MONTHS = 120

const toCompareRow = (id: string, name: string, totals: PeriodEnergyTotals | null): CompareRow => ({
  id,
  name,
  members: null,
  produced: totals?.produced ?? null,
  shared: totals?.shared ?? null,
  surplus: totals?.surplus ?? null,
  consumed: totals?.consumed ?? null,
  allocated: totals?.allocated ?? null,
  complement: totals?.complement ?? null,
  pending: (totals?.pendingProduced ?? 0) + (totals?.pendingConsumed ?? 0),
  selfConsumption: totals?.selfConsumption ?? null,
  selfProduction: totals?.selfProduction ?? null,
  valueCents: totals?.valueCents ?? null,
  co2Grams: totals?.co2Grams ?? null,
})

/** The rows shown and the number of all rows; `total` when already known. */
type ComparedRows = { rows: CompareRow[]; count?: number; total?: PeriodEnergyTotals }

/** The same figures as on the other screens, side by side. */
export async function loadAnalyticsComparison(db: Db, actor: Actor, factors: Co2Factors, query: CompareQuery) {
  requirePeriod(query)
  const { rows, count = rows.length, total } = await ROW_LOADERS[query.by](db, actor, factors, query)
  const size = (row: CompareRow) => Math.max(row.produced ?? 0, row.consumed ?? 0)
  const sortedRows =
    query.by === 'months' ? rows : rows.toSorted((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1))
  return {
    by: query.by,
    rows: sortedRows.slice(0, MAX_COMPARED_ROWS),
    count,
    total: total ?? (await loadEnergyTotals(db, actor, factors, query.operationId, query)),
    co2Source: factors.CO2_SOURCE,
  }
}

type CompareRowLoader = (db: Db, actor: Actor, factors: Co2Factors, query: AnalyticsFilter) => Promise<ComparedRows>

const ROW_LOADERS: Record<CompareBy, CompareRowLoader> = {
  operations: async (db, actor, factors, query) => {
    const { items, total } = await loadTotalsByOperation(db, actor, factors, query)
    return { rows: items.map(({ id, name, totals }) => toCompareRow(id, name, totals)), total }
  },
  months: async (db, actor, factors, query) => {
    const periods = splitIntoMonths(query).slice(0, MAX_COMPARED_MONTHS)
    const totals = await loadEnergyTotalsByPeriod(db, actor, factors, query.operationId, periods)
    return { rows: periods.map(({ from }, at) => toCompareRow(from, from, totals[at] ?? null)) }
  },
  members: (db, actor, factors, query) => loadMemberCompareRows(db, actor, factors, query, MAX_COMPARED_ROWS),
  groups: async (db, actor, factors, query) => ({ rows: await loadGroupCompareRows(db, actor, factors, query) }),
}

/** The months of the period, the first and last limited to it. */
export function splitIntoMonths({ from, to }: Period): Period[] {
  const months: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    months.push({ from: month > from ? month : from, to: next < to ? next : to })
  }
  return months
}
