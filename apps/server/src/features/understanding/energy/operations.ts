import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import type { OperationEnergyItem } from '@voisol/contract/energy-rows'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import { listStaleRollups } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadOperationCounts } from '../../energy/operations/operations.ts'
import { listParticipationGroups } from './crews.ts'
import { loadLastDaysByOperation } from './kept-last-day.ts'
import { type Period, requirePeriod } from './period.ts'
import { buildMemberPeriods, groupByOperation, listRunsInForce } from './pieces.ts'
import { computeReceivedUntil, countExpectedSteps } from './received.ts'
import { loadSparklines, splitIntoSparklineParts } from './sparks.ts'
import { isPeriodDefinitive } from './summary.ts'
import { type Co2Factors, computeEnergyTotals, loadRollupFigures } from './totals.ts'

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

export type OperationTotals = { id: string; name: string; totals: PeriodEnergyTotals | null }

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
