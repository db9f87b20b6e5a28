import type { Totals } from '@voisol/contract/energy'
import type { OperationRow } from '@voisol/contract/energy-rows'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import { staleSums } from '../../../core/sum-marks.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { countsOf } from '../../energy/operations/operations.ts'
import { selectCrews } from './crews.ts'
import { keptLastDays } from './kept-last-day.ts'
import { type Period, requirePeriod } from './period.ts'
import { byOperation, cut, heldOver } from './pieces.ts'
import { expectedSteps, receivedUntil } from './received.ts'
import { sparkParts, sparksOf } from './sparks.ts'
import { isClosed } from './summary.ts'
import { type Factors, keptFigures, totalsOf } from './totals.ts'

type Row = z.infer<typeof OperationRow>
type Rows = { items: Row[]; total: Totals }

/** Energies of every operation of the company, with what was allocated day by day. */
export async function operationRows(db: Db, actor: Actor, factors: Factors, query: Period): Promise<Rows> {
  const period = requirePeriod(query)
  const { companyId } = actor
  const all = await db
    .select({ id: operations.id, name: operations.name, status: operations.status, capacity: operations.capacityWatts })
    .from(operations)
    .where(operationScope(actor))
    .orderBy(asc(sql`fold(${operations.name})`), asc(operations.id))
  const ids = all.map(({ id }) => id)
  const members = await selectCrews(db, actor, {})
  const counts = await countsOf(db, companyId, ids)
  const stale = await staleSums(db, companyId, ids)
  const figures = new Map(
    (await keptFigures(db, companyId, members, period, stale)).map((own) => [own.operationId, own]),
  )
  const runs = byOperation(await heldOver(db, companyId, ids, period))
  const sparks = await sparksOf(db, companyId, members, period, stale)
  const lastDays = await keptLastDays(db, companyId, ids, stale)
  const crews = byOperation(members)
  const nothing = sparkParts(period).map(() => null)
  const items = all.map(({ capacity, ...operation }) => {
    const own = crews.get(operation.id) ?? []
    const held = runs.get(operation.id) ?? []
    const figure = figures.get(operation.id)
    const { participants, plantWatts, method } = counts(operation.id)
    return {
      ...totalsOf(figure ? [figure] : [], factors),
      ...operation,
      participants,
      method,
      receivedUntil: receivedUntil(lastDays.get(operation.id) ?? null),
      peakWatts: plantWatts || capacity,
      completeness: figure
        ? completeness(
            cut(own, period, () => 0),
            own[0]?.step ?? 15,
            Object.values(figure.read),
          )
        : null,
      stale: held.some(({ stale }) => stale),
      definitive: isClosed(own, period, held),
      sparkline: sparks.get(operation.id) ?? nothing,
    }
  })
  return { items, total: totalsOf([...figures.values()], factors) }
}

export type OperationTotals = { id: string; name: string; totals: Totals | null }

/** The energies alone, which is all that is compared: nothing is asked of runs, of last days or of the days between. */
export async function operationTotals(
  db: Db,
  actor: Actor,
  factors: Factors,
  query: Period & { operationId?: string | undefined },
): Promise<{ items: OperationTotals[]; total: Totals }> {
  const period = requirePeriod(query)
  const { operationId } = query
  const all = await db
    .select({ id: operations.id, name: operations.name })
    .from(operations)
    .where(and(operationScope(actor), operationId ? eq(operations.id, operationId) : undefined))
    .orderBy(asc(sql`fold(${operations.name})`), asc(operations.id))
  const crews = await selectCrews(db, actor, { operationId })
  const figures = await keptFigures(db, actor.companyId, crews, period)
  const known = new Map(figures.map((own) => [own.operationId, own]))
  const members = byOperation(crews)
  const items = all.map(({ id, name }) => {
    const own = members.get(id) ?? []
    const figure = known.get(id)
    const pieces = cut(own, period, () => 0)
    // Of an operation that nobody takes part in yet nothing is known: that is no zero.
    const isDue = figure && completeness(pieces, own[0]?.step ?? 15, Object.values(figure.read)) !== null
    return { id, name, totals: isDue ? totalsOf([figure], factors) : null }
  })
  return { items, total: totalsOf(figures, factors) }
}

type Come = { present: number; expected: number; days: number }

/** Received steps of those expected by now; null where none is due. */
export function completeness(pieces: ReturnType<typeof cut>, step: number, sides: Come[]): number | null {
  const steps = new Map(pieces.map(({ operationId }) => [operationId, step]))
  const sum = (name: keyof Come) => sides.reduce((total, side) => total + side[name], 0)
  const expected = expectedSteps(pieces, steps, { days: sum('days'), expected: sum('expected') })
  return expected ? Math.min(1, sum('present') / expected) : null
}
