import type { Totals } from '@voisol/contract/energy'
import type { OperationRow } from '@voisol/contract/energy-rows'
import { listDays } from '@voisol/energy/calendar'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { operationScope } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { countsOf } from '../../energy/operations/operations.ts'
import { GROUPS, selectCrews } from './crews.ts'
import { keptLastDays } from './kept-last-day.ts'
import { keptOver } from './kept-sums.ts'
import { type Period, requirePeriod } from './period.ts'
import { cut, heldOver } from './pieces.ts'
import { expectedSteps, receivedUntil } from './received.ts'
import { isClosed } from './summary.ts'
import type { Shared } from './sums.ts'
import { type Factors, keptFigures, totalsOf, toWh } from './totals.ts'

type Row = z.infer<typeof OperationRow>
type Rows = { items: Row[]; total: Totals }
const SPARKS = 31

/** At most 31 values: a day each, or as many days as it takes. */
export function sparkline(days: string[], energyOf: (day: string) => number | null): (number | null)[] {
  const size = Math.ceil(days.length / SPARKS)
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
  const size = Math.ceil((days.length - 1) / SPARKS)
  return Array.from({ length: Math.ceil((days.length - 1) / size) }, (_, at) => ({
    from: days[at * size] ?? from,
    to: days[Math.min((at + 1) * size, days.length - 1)] ?? to,
  }))
}

const localOf = (sum: Shared | undefined) => (sum && sum.steps > sum.excluded ? toWh(sum.local) : null)

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
  const figures = new Map((await keptFigures(db, companyId, members, period)).map((own) => [own.operationId, own]))
  const allHeld = await heldOver(db, companyId, ids, period)
  const parts = sparkParts(period)
  const groupOf = (id: string, nth: number) => (nth * ids.length + ids.indexOf(id)) * GROUPS
  const { run: sparks } = await keptOver(db, companyId, members, parts, 'whole', groupOf)
  const lastDays = await keptLastDays(db, companyId, ids)
  const items = all.map(({ capacity, ...operation }) => {
    const own = members.filter(({ operationId }) => operationId === operation.id)
    const held = allHeld.filter(({ operationId }) => operationId === operation.id)
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
      sparkline: parts.map((_, nth) => localOf(sparks.get(groupOf(operation.id, nth))?.get(''))),
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
  const items = all.map(({ id, name }) => {
    const own = crews.filter((crew) => crew.operationId === id)
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
