import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import type { OperationEnergyItem } from '@voisol/contract/energy-figures'
import { daysBetween, listDays } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/access-scopes.ts'
import { listStaleRollups } from '../../../core/stale-rollups.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOperationCounts } from '../../energy/operations/index.ts'
import { isPeriodDefinitive } from './energy-summary.ts'
import type { AllocationSum } from './energy-sums.ts'
import {
  type Co2Factors,
  computeEnergyTotals,
  createPeriodGroupResolver,
  loadRollupFigures,
  toWh,
} from './energy-totals.ts'
import { getSideIndex, listParticipationGroups, type ParticipationGroup, toSqlArray } from './member-scope.ts'
import {
  buildMemberPeriods,
  groupByOperation,
  listOperationIds,
  listRunsInForce,
  type Period,
  requirePeriod,
} from './periods.ts'
import { computeReceivedUntil, countExpectedSteps, loadLastDaysByOperation } from './received-readings.ts'
import { readRollups, type StaleRanges } from './rollup-read.ts'

type Row = z.infer<typeof OperationEnergyItem>
type OperationRows = { items: Row[]; total: PeriodEnergyTotals }

/** Energies of every operation of the company, with allocated energy by day. */
export async function listOperationRows(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: Period,
): Promise<OperationRows> {
  const period = requirePeriod(query)
  const { companyId } = actor
  const all = await db
    .select({ id: operations.id, name: operations.name, status: operations.status, capacity: operations.capacityWatts })
    .from(operations)
    .where(operationScope(actor))
    .orderBy(asc(sql`fold(${operations.name})`), asc(operations.id))
  const ids = all.map(({ id }) => id)
  const participationGroups = await listParticipationGroups(db, actor, {})
  const counts = await loadOperationCounts(db, companyId, ids)
  const stale = await listStaleRollups(db, companyId, ids)
  const figures = new Map(
    (await loadRollupFigures(db, companyId, participationGroups, period, stale)).map((own) => [own.operationId, own]),
  )
  const runs = groupByOperation(await listRunsInForce(db, companyId, ids, period))
  const sparklines = await loadSparklines(db, companyId, participationGroups, period, stale)
  const lastDays = await loadLastDaysByOperation(db, companyId, ids, stale)
  const groupsByOperation = groupByOperation(participationGroups)
  const emptySparkline = splitIntoSparklineParts(period).map(() => null)
  const items = all.map(({ capacity, ...operation }) => {
    const own = groupsByOperation.get(operation.id) ?? []
    const runsInForce = runs.get(operation.id) ?? []
    const figure = figures.get(operation.id)
    const { participants, plantWatts, method } = counts(operation.id)
    return {
      ...computeEnergyTotals(figure ? [figure] : [], factors),
      ...operation,
      participants,
      method,
      receivedUntil: computeReceivedUntil(lastDays.get(operation.id) ?? null),
      peakWatts: plantWatts || capacity,
      completeness: figure
        ? computeCompleteness(
            buildMemberPeriods(own, period, () => 0),
            own[0]?.step ?? 15,
            Object.values(figure.read),
          )
        : null,
      stale: runsInForce.some(({ stale }) => stale),
      definitive: isPeriodDefinitive(own, period, runsInForce),
      sparkline: sparklines.get(operation.id) ?? emptySparkline,
    }
  })
  return { items, total: computeEnergyTotals([...figures.values()], factors) }
}

type OperationTotals = { id: string; name: string; totals: PeriodEnergyTotals | null }

/** Only the energies that are compared, without runs, last days or daily values. */
export async function loadTotalsByOperation(
  db: Db,
  actor: Actor,
  factors: Co2Factors,
  query: Period & { operationId?: string | undefined },
): Promise<{ items: OperationTotals[]; total: PeriodEnergyTotals }> {
  const period = requirePeriod(query)
  const { operationId } = query
  const all = await db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), operationId ? eq(operations.id, operationId) : undefined))
    .orderBy(asc(sql`fold(${operations.name})`), asc(operations.id))
  const participationGroups = await listParticipationGroups(db, actor, { operationId })
  const figures = await loadRollupFigures(db, actor.companyId, participationGroups, period)
  const figuresByOperation = new Map(figures.map((own) => [own.operationId, own]))
  const members = groupByOperation(participationGroups)
  const items = all.map(({ id, name }) => {
    const own = members.get(id) ?? []
    const figure = figuresByOperation.get(id)
    const memberPeriods = buildMemberPeriods(own, period, () => 0)
    // An operation without members has no data, which is not zero.
    const isDue = figure && computeCompleteness(memberPeriods, own[0]?.step ?? 15, Object.values(figure.read)) !== null
    return { id, name, totals: isDue ? computeEnergyTotals([figure], factors) : null }
  })
  return { items, total: computeEnergyTotals(figures, factors) }
}

type ReceivedSteps = { present: number; expected: number; days: number }

/** Received steps among those expected so far; null when none is expected. */
export function computeCompleteness(
  pieces: ReturnType<typeof buildMemberPeriods>,
  step: number,
  sides: ReceivedSteps[],
): number | null {
  const steps = new Map(pieces.map(({ operationId }) => [operationId, step]))
  const sum = (name: keyof ReceivedSteps) => sides.reduce((total, side) => total + side[name], 0)
  const expected = countExpectedSteps(pieces, steps, { days: sum('days'), expected: sum('expected') })
  return expected ? Math.min(1, sum('present') / expected) : null
}

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
function splitIntoSparklineParts({ from, to }: Period): Period[] {
  const days = [...listDays(from, to), to]
  const size = getDaysPerValue(days.length - 1)
  return Array.from({ length: Math.ceil((days.length - 1) / size) }, (_, at) => ({
    from: days[at * size] ?? from,
    to: days[Math.min((at + 1) * size, days.length - 1)] ?? to,
  }))
}

const getLocalWh = (sum: AllocationSum | undefined) => (sum && sum.steps > sum.excluded ? toWh(sum.local) : null)

/** Local energy of each operation's consumers in each part; null when no step counts. */
async function loadSparklines(
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
