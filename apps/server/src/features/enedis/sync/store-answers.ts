import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { pointLinks } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { DistributorFault } from '../../../integrations/enedis/enedis-faults.ts'
import {
  addReceivedSummary,
  createReceivedSummary,
  type ReceivedSummary,
  recordCurvesReceived,
  storeReadings,
} from '../../energy/curves/index.ts'
import {
  type NewQuantities,
  recordNewQuantities,
  storeDailyEnergies,
  storeDefinitiveQuantities,
  storeDistributorSeries,
  storePerimeter,
} from '../reconciliation/index.ts'
import type { BlockFault } from './blocked-points.ts'
import type { SyncRun } from './call-slots.ts'
import { logSyncError } from './sync-errors.ts'
import type { CallAnswer, CallOutcome } from './sync-windows.ts'
import type { AddedCounts } from './task-progress.ts'

type AnsweredOutcome = Extract<CallOutcome, { got: CallAnswer }>
export const isAnswered = (outcome: CallOutcome): outcome is AnsweredOutcome => 'got' in outcome

/** Stores all readings of a task's calls together, coarser steps before finer ones. */
async function storeCurves(tx: Db, companyId: number, answered: AnsweredOutcome[], receivedAt: Date) {
  const received = createReceivedSummary()
  const passes: PointDayReadings[][] = []
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
    if (rows.length)
      addReceivedSummary(received, await storeReadings(tx, companyId, rows, { source: 'enedis', receivedAt }))
  return { received, readings }
}

/** Stores answers other than point readings with the distributor's own figures, and returns what is new. */
async function storeOtherAnswer(
  tx: Db,
  companyId: number,
  { window, got, at: receivedAt }: AnsweredOutcome,
): Promise<NewQuantities[]> {
  const { pointId, operationId, from, to, taskId } = window
  if (got.kind === 'perimeter') {
    await storePerimeter(tx, { companyId, operationId, points: got.points, readAt: receivedAt })
    for (const access of got.access)
      if ('fault' in access)
        await logSyncError(tx, { companyId, operationId, taskId, subject: access.prm, at: receivedAt, ...access })
      else await storeAccess(tx, companyId, access)
    return []
  }
  if (!pointId) return []
  if (got.kind === 'daily-energy') await storeDailyEnergies(tx, { companyId, pointId, days: got.days, receivedAt })
  if (got.kind === 'agreement-series')
    for (const curve of got.curves)
      await storeDistributorSeries(tx, {
        companyId,
        operationId,
        pointId,
        type: 'autocons',
        curve,
        from,
        to,
        receivedAt,
      })
  if (got.kind === 'definitive') {
    const { quantities } = got
    const given = { companyId, operationId, pointId, from, to, source: 'api' as const, quantities, receivedAt }
    const { written } = await storeDefinitiveQuantities(tx, given)
    if (written > 0) return [{ operationId, pointId, from, to }]
  }
  return []
}

const storeAccess = (tx: Db, companyId: number, { pointId, until }: { pointId: string; until: string | null }) =>
  tx
    .insert(pointLinks)
    .values({ companyId, pointId, accessUntil: until })
    .onConflictDoUpdate({
      target: [pointLinks.companyId, pointLinks.pointId],
      set: { accessUntil: sql`excluded.access_until` },
    })

/** What a batch brought to one task. */
type BatchResult = { added: AddedCounts; received: ReceivedSummary; quantities: NewQuantities[] }

/** Stores the answers and returns what they add to each task. */
export async function storeAnswers(
  tx: Db,
  companyId: number,
  outcomes: CallOutcome[],
  now: Date,
): Promise<Map<string, BatchResult>> {
  const results = new Map<string, BatchResult>()
  for (const [taskId, group] of Map.groupBy(outcomes, ({ window }) => window.taskId)) {
    const answered = group.filter(isAnswered)
    const { received, readings } = await storeCurves(tx, companyId, answered, now)
    const quantities: NewQuantities[] = []
    for (const outcome of answered)
      if (outcome.got.kind !== 'load-curve') quantities.push(...(await storeOtherAnswer(tx, companyId, outcome)))
    const { inserted: newDays, changed: changedDays, same: sameDays } = received
    const calls = group.reduce((sum, { traces }) => sum + traces.length, 0)
    results.set(taskId, { received, quantities, added: { calls, readings, newDays, changedDays, sameDays } })
  }
  return results
}

/** What administrators are notified of: a blocked point, or refused credentials. */
export type Refusal =
  | { pointId: string; fault: BlockFault & { since: string } }
  | { on: string; fault: DistributorFault }

const toEventFields = ({ code, explanation, remedy }: DistributorFault) => ({ code, explanation, remedy })

/** Records the events of a stored batch: the curves and quantities of each task, then the refusals. */
export async function recordBatchEvents(
  tx: Db,
  run: SyncRun,
  brought: Map<string, BatchResult>,
  refusals: Refusal[],
): Promise<void> {
  const { id: credentialId, companyId, version } = run.credential
  const by = { job: 'sync.run', secrets: run.deps.secrets }
  for (const [ref, { received, quantities }] of brought) {
    await recordCurvesReceived(tx, companyId, received, { source: 'sync', ref, by })
    await recordNewQuantities(tx, companyId, quantities, by)
  }
  for (const refusal of refusals)
    if ('pointId' in refusal) {
      const { pointId, fault } = refusal
      const data = { pointId, since: fault.since, retried: fault.retried ?? false, ...toEventFields(fault) }
      await recordEvent(tx, { companyId, name: 'point.blocked', object: pointId, data, by })
    } else {
      const data = { credentialId, version, on: refusal.on, ...toEventFields(refusal.fault) }
      const once = `${credentialId} ${version} ${refusal.on}`
      await recordEvent(tx, { companyId, name: 'credential.refused', object: credentialId, data, by, once })
    }
}
