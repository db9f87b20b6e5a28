import { COMPARED, type CompareBy, type CompareRow } from '@voisol/contract/analytics'
import type { Totals } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Factors, operationRows, type Period, requirePeriod, summaryOf, totalsOverEach } from '../energy/energy.ts'
import { groupRows, memberLines } from './member-lines.ts'

type Query = Period & { operationId?: string | undefined; by: CompareBy }
export type Where = Omit<Query, 'by'>

/** Ten years of months are compared at most. */
const MOST_MONTHS = 120

const ofTotals = (id: string, name: string, totals: Totals | null): CompareRow => ({
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

/** The same figures as on every other screen, side by side. */
export async function compare(db: Db, actor: Actor, factors: Factors, query: Query) {
  requirePeriod(query)
  const rows = await ROWS[query.by](db, actor, factors, query)
  const { current } = await summaryOf(db, actor, factors, query)
  const size = (row: CompareRow) => Math.max(row.produced ?? 0, row.consumed ?? 0)
  const shown = query.by === 'months' ? rows : rows.toSorted((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1))
  return {
    by: query.by,
    rows: shown.slice(0, COMPARED),
    count: rows.length,
    total: current,
    co2Source: factors.CO2_SOURCE,
  }
}

type Reader = (db: Db, actor: Actor, factors: Factors, query: Where) => Promise<CompareRow[]>

const ROWS: Record<CompareBy, Reader> = {
  operations: async (db, actor, factors, { from, to, operationId }) => {
    const { items } = await operationRows(db, actor, factors, { from, to })
    return (
      items
        .filter(({ id }) => operationId === undefined || id === operationId)
        // Of an operation that nobody takes part in yet nothing is known: that is no zero.
        .map(({ id, name, ...totals }) => ofTotals(id, name, totals.completeness === null ? null : totals))
    )
  },
  months: async (db, actor, factors, query) => {
    const periods = monthsOf(query).slice(0, MOST_MONTHS)
    const totals = await totalsOverEach(db, actor, factors, query.operationId, periods)
    return periods.map(({ from }, at) => ofTotals(from, from, totals[at] ?? null))
  },
  members: (db, actor, factors, query) => memberLines(db, actor, factors, query),
  groups: (db, actor, factors, query) => groupRows(db, actor, factors, query),
}

/** The months of the period, the first and the last as far as it goes. */
export function monthsOf({ from, to }: Period): Period[] {
  const found: Period[] = []
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    found.push({ from: month > from ? month : from, to: next < to ? next : to })
  }
  return found
}
