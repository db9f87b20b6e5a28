import { COMPARED, type CompareBy, type CompareRow } from '@voisol/contract/analytics'
import type { Totals } from '@voisol/contract/energy'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  type Factors,
  operationTotals,
  type Period,
  requirePeriod,
  totalsOver,
  totalsOverEach,
} from '../energy/energy.ts'
import { groupRows } from './group-lines.ts'
import { memberLines } from './member-lines.ts'

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

/** As many as are shown, and how many there are; `total` where it is known already. */
type Found = { rows: CompareRow[]; count?: number; total?: Totals }

/** The same figures as on every other screen, side by side. */
export async function compare(db: Db, actor: Actor, factors: Factors, query: Query) {
  requirePeriod(query)
  const { rows, count = rows.length, total } = await ROWS[query.by](db, actor, factors, query)
  const size = (row: CompareRow) => Math.max(row.produced ?? 0, row.consumed ?? 0)
  const shown = query.by === 'months' ? rows : rows.toSorted((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1))
  return {
    by: query.by,
    rows: shown.slice(0, COMPARED),
    count,
    total: total ?? (await totalsOver(db, actor, factors, query.operationId, query)),
    co2Source: factors.CO2_SOURCE,
  }
}

type Reader = (db: Db, actor: Actor, factors: Factors, query: Where) => Promise<Found>

const ROWS: Record<CompareBy, Reader> = {
  operations: async (db, actor, factors, query) => {
    const { items, total } = await operationTotals(db, actor, factors, query)
    return { rows: items.map(({ id, name, totals }) => ofTotals(id, name, totals)), total }
  },
  months: async (db, actor, factors, query) => {
    const periods = monthsOf(query).slice(0, MOST_MONTHS)
    const totals = await totalsOverEach(db, actor, factors, query.operationId, periods)
    return { rows: periods.map(({ from }, at) => ofTotals(from, from, totals[at] ?? null)) }
  },
  members: (db, actor, factors, query) => memberLines(db, actor, factors, query, COMPARED),
  groups: async (db, actor, factors, query) => ({ rows: await groupRows(db, actor, factors, query) }),
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
