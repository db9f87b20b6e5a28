import { sql } from 'drizzle-orm'
import type { DayRow } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { pointLinks } from '../../../db/schema/index.ts'
import { addReceived, nothingReceived, type Received, writeReadings } from '../../energy/curves/curves.ts'
import {
  keepEnergies,
  keepPerimeter,
  keepQuantities,
  keepSeries,
  type QuantityNews,
} from '../reconciliation/reconciliation.ts'
import type { Got, Outcome } from './calls.ts'
import { logError } from './errors.ts'
import type { Added } from './settle-tasks.ts'

type Answered = Extract<Outcome, { got: Got }>
export const isAnswered = (outcome: Outcome): outcome is Answered => 'got' in outcome

/** All readings of a task's calls at once; lists of coarser steps before those of finer ones. */
async function storeCurves(tx: Db, companyId: number, answered: Answered[], receivedAt: Date) {
  const received = nothingReceived()
  const passes: DayRow[][] = []
  let readings = 0
  for (const { got } of answered) {
    if (got.kind !== 'load-curve') continue
    readings += got.readings
    for (const [at, rows] of got.passes.entries()) {
      passes[at] ??= []
      passes[at].push(...rows)
    }
  }
  for (const rows of passes)
    if (rows.length) addReceived(received, await writeReadings(tx, companyId, rows, { source: 'enedis', receivedAt }))
  return { received, readings }
}

/** What is not readings of ours goes where the distributor's own figures stand; what it says anew is told. */
async function storeOther(
  tx: Db,
  companyId: number,
  { window, got, at: receivedAt }: Answered,
): Promise<QuantityNews[]> {
  const { pointId, operationId, from, to, taskId } = window
  if (got.kind === 'perimeter') {
    await keepPerimeter(tx, { companyId, operationId, points: got.points, readAt: receivedAt })
    for (const access of got.access)
      if ('fault' in access)
        await logError(tx, { companyId, operationId, taskId, subject: access.prm, at: receivedAt, ...access })
      else await keepAccess(tx, companyId, access)
    return []
  }
  if (!pointId) return []
  if (got.kind === 'daily-energy') await keepEnergies(tx, { companyId, pointId, days: got.days, receivedAt })
  if (got.kind === 'agreement-series')
    for (const curve of got.curves)
      await keepSeries(tx, { companyId, operationId, pointId, type: 'autocons', curve, from, to, receivedAt })
  if (got.kind === 'definitive') {
    const { quantities } = got
    const given = { companyId, operationId, pointId, from, to, source: 'api' as const, quantities, receivedAt }
    const { written } = await keepQuantities(tx, given)
    if (written > 0) return [{ operationId, pointId, from, to }]
  }
  return []
}

const keepAccess = (tx: Db, companyId: number, { pointId, until }: { pointId: string; until: string | null }) =>
  tx
    .insert(pointLinks)
    .values({ companyId, pointId, accessUntil: until })
    .onConflictDoUpdate({
      target: [pointLinks.companyId, pointLinks.pointId],
      set: { accessUntil: sql`excluded.access_until` },
    })

/** What a batch brought to one of its tasks. */
export type Brought = { added: Added; received: Received; quantities: QuantityNews[] }

/** Stores what was answered and says what it adds to each task. */
export async function storeGot(
  tx: Db,
  companyId: number,
  outcomes: Outcome[],
  now: Date,
): Promise<Map<string, Brought>> {
  const brought = new Map<string, Brought>()
  for (const [taskId, group] of Map.groupBy(outcomes, ({ window }) => window.taskId)) {
    const answered = group.filter(isAnswered)
    const { received, readings } = await storeCurves(tx, companyId, answered, now)
    const quantities: QuantityNews[] = []
    for (const outcome of answered)
      if (outcome.got.kind !== 'load-curve') quantities.push(...(await storeOther(tx, companyId, outcome)))
    const { inserted: newDays, changed: changedDays, same: sameDays } = received
    const calls = group.reduce((sum, { traces }) => sum + traces.length, 0)
    brought.set(taskId, { received, quantities, added: { calls, readings, newDays, changedDays, sameDays } })
  }
  return brought
}
