import { type CompareBy, type CompareRow, MAX_COMPARED_ROWS, type MoneyMonth } from '@voisol/contract/analytics'
import type { EnergySeries, PeriodEnergyTotals } from '@voisol/contract/energy'
import { formatDwellingName } from '@voisol/contract/points'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import { computeAvoidedCo2Grams } from '@voisol/energy/metrics'
import { computeValueCents } from '@voisol/money/amounts'
import { sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import {
  type Co2Factors,
  loadComparedMemberSums,
  loadEnergyChartSeries,
  loadEnergyTotals,
  loadEnergyTotalsByPeriod,
  loadTotalsByOperation,
  type Period,
  type PeriodParticipation,
  requirePeriod,
  splitEnergy,
  toWh,
} from '../energy/index.ts'

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

const NO_GROUP_LABEL = 'Sans groupe'

type EnergySplit = ReturnType<typeof splitEnergy>
type SplitByDirection = Partial<Record<PeriodParticipation['direction'], EnergySplit>>
/** Local energy of a group's members in one operation, by direction. */
type LocalEnergyOfOperation = { price: number | null; sides: Partial<Record<PeriodParticipation['direction'], number>> }
type TagGroup = {
  people: Set<string>
  sides: SplitByDirection
  pending: number
  locals: Map<string, LocalEnergyOfOperation>
}

/**
 * Sums members by tag; a member with two tags counts in both. Kept in watt-minutes so that each figure is rounded once.
 */
async function loadGroupCompareRows(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
): Promise<CompareRow[]> {
  const groups = new Map<string, TagGroup>()
  for (const { seat: participation, sum } of await loadComparedMemberSums(db, actor, query)) {
    const parts = splitEnergy(sum.energy, sum)
    for (const name of participation.tags?.length ? participation.tags : [NO_GROUP_LABEL]) {
      const group = groups.get(name) ?? { people: new Set(), sides: {}, pending: 0, locals: new Map() }
      groups.set(name, group)
      addMemberToGroup(group, participation, parts)
    }
  }
  return [...groups].map(([name, group]) => toGroupCompareRow(name, group, factors))
}

function addMemberToGroup(group: TagGroup, participation: PeriodParticipation, energySplit: EnergySplit): void {
  const { direction, operationId, unitPrice } = participation
  group.people.add(participation.participantId)
  group.pending += energySplit.pending
  const side = group.sides[direction] ?? { whole: 0, local: 0, rest: 0, pending: 0 }
  group.sides[direction] = side
  side.whole += energySplit.whole
  side.local += energySplit.local
  side.rest += energySplit.rest
  const sides: LocalEnergyOfOperation['sides'] = group.locals.get(operationId)?.sides ?? {}
  group.locals.set(operationId, { price: unitPrice, sides })
  sides[direction] = (sides[direction] ?? 0) + energySplit.local
}

const computeLocalRatio = (side: EnergySplit | undefined) =>
  side && side.local + side.rest > 0 ? side.local / (side.local + side.rest) : null

/** As for a whole operation: energy given to consumers, or for producers only, the energy they shared. */
const getLocalWattMinutes = ({ sides }: LocalEnergyOfOperation) => sides.consumption ?? sides.production ?? 0

/** Null when an operation has no price, instead of a partial value. */
function computeGroupValueCents(locals: LocalEnergyOfOperation[]): number | null {
  const priced = locals.flatMap((own) =>
    own.price === null ? [] : [{ wattMinutes: getLocalWattMinutes(own), price: own.price }],
  )
  return priced.length === locals.length ? computeValueCents(priced) : null
}

function toGroupCompareRow(
  name: string,
  { people, sides, pending, locals }: TagGroup,
  factors: Co2Factors,
): CompareRow {
  const { production, consumption } = sides
  const wh = (value: number | undefined) => (value === undefined ? null : toWh(value))
  const all = [...locals.values()]
  const local = all.reduce((sum, own) => sum + getLocalWattMinutes(own), 0)
  return {
    id: name,
    name,
    members: people.size,
    produced: wh(production?.whole),
    shared: wh(production?.local),
    surplus: wh(production?.rest),
    consumed: wh(consumption?.whole),
    allocated: wh(consumption?.local),
    complement: wh(consumption?.rest),
    pending: toWh(pending),
    selfConsumption: computeLocalRatio(production),
    selfProduction: computeLocalRatio(consumption),
    valueCents: computeGroupValueCents(all),
    co2Grams: computeAvoidedCo2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}

/** At the finest step with enough room. */
export const loadFinestChartSeries = (
  db: Db,
  actor: Actor,
  query: AnalyticsFilter & { width: number },
): Promise<EnergySeries> =>
  loadEnergyChartSeries(db, actor, {
    ...requirePeriod(query),
    operationId: query.operationId,
    granularity: '15min',
    width: query.width,
  })

/** Amounts invoiced to consumers by month of supply, beside the value of the energy they received. */
export async function listInvoicedByMonth(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
): Promise<MoneyMonth[]> {
  requirePeriod(query)
  const periods = splitIntoMonths(query)
  const totals = await loadEnergyTotalsByPeriod(db, actor, factors, query.operationId, periods)
  const { rows } = await db.execute<{ month: string; invoiced: number; documents: number }>(sql`
    select date_trunc('month', from_day)::date::text as month, count(*)::int as documents,
           sum(case when kind = 'creditNote' then -net else net end)::float8 as invoiced
      from ${invoices}
     where ${invoices.companyId} = ${actor.companyId} and ${invoices.from} >= ${query.from} and ${invoices.from} < ${query.to}
       and ${invoices.kind} <> 'statement' and ${invoices.buyerId} is not null
       and ${withinOperationLimit(actor, invoices.operationId) ?? sql`true`}
       and ${query.operationId ? sql`${invoices.operationId} = ${query.operationId}` : sql`true`}
     group by 1`)
  const rowsByMonth = new Map(rows.map((row) => [row.month, row]))
  return periods.map(({ from }, at) => ({
    month: monthOf(from),
    invoiced: rowsByMonth.get(monthOf(from))?.invoiced ?? 0,
    documents: rowsByMonth.get(monthOf(from))?.documents ?? 0,
    valueCents: totals[at]?.valueCents ?? null,
  }))
}

const getMemberName = ({ label, participantName, prm }: PeriodParticipation) =>
  formatDwellingName(label, participantName) || prm
const memberComparisonComputeLocalRatio = (part: number, rest: number) =>
  part + rest > 0 ? part / (part + rest) : null

/** One direction of a member; battery energy is neither produced nor consumed. */
function toMemberCompareRow(
  participation: PeriodParticipation,
  { whole, local, rest, pending }: ReturnType<typeof splitEnergy>,
  factors: Co2Factors,
): CompareRow {
  const produces = participation.direction === 'production'
  const { unitPrice } = participation
  return {
    id: `${participation.operationId} ${participation.participantId} ${participation.pointId}`,
    name: getMemberName(participation),
    members: null,
    produced: produces ? toWh(whole) : null,
    shared: produces ? toWh(local) : null,
    surplus: produces ? toWh(rest) : null,
    consumed: produces ? null : toWh(whole),
    allocated: produces ? null : toWh(local),
    complement: produces ? null : toWh(rest),
    pending: toWh(pending),
    selfConsumption: produces ? memberComparisonComputeLocalRatio(local, rest) : null,
    selfProduction: produces ? null : memberComparisonComputeLocalRatio(local, rest),
    valueCents: unitPrice === null ? null : computeValueCents([{ wattMinutes: local, price: unitPrice }]),
    co2Grams: computeAvoidedCo2Grams(toWh(local), factors.CO2_GRID_GRAMS, factors.CO2_SOLAR_GRAMS),
  }
}

/** The members with the most energy, and the total count. */
async function loadMemberCompareRows(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: AnalyticsFilter,
  maxRows: number,
) {
  const all = (await loadComparedMemberSums(db, actor, query)).map(({ seat: participation, sum }) => {
    const parts = splitEnergy(sum.energy, sum)
    return { seat: participation, parts, size: toWh(parts.whole), name: getMemberName(participation) }
  })
  const first = all.sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1)).slice(0, maxRows)
  return {
    rows: first.map(({ seat: participation, parts }) => toMemberCompareRow(participation, parts, factors)),
    count: all.length,
  }
}
