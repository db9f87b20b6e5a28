import { and, eq, inArray, sql } from 'drizzle-orm'
import type { DistributorFault } from '../../../adapters/enedis/faults.ts'
import type { Db } from '../../../db/client.ts'
import { pointLinks, syncWindows } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadPoint } from '../../energy/participants/participants.ts'

const DAY_MS = 24 * 3_600_000
/**
 * The distributor has returned this code for thousands of points whose holder had not moved: one retry is made before
 * it is accepted.
 */
export const DOUBTFUL_FAULT_CODE = 'ADAM-DC-0007'

/** Why and since when a point is not requested, and whether a doubtful refusal has been retried. */
export type BlockFault = DistributorFault & { since?: string; retried?: boolean }
export type PointLink = Omit<typeof pointLinks.$inferSelect, 'fault'> & { fault: BlockFault | null }

type BlockPointInput = { companyId: number; pointId: string; fault: DistributorFault; at: Date }

/** Stops the calls of a point and ends its waiting ones. Returns the tasks concerned and the stored fault. */
export async function blockPoint(tx: Db, blocked: BlockPointInput) {
  const { companyId, pointId, fault, at } = blocked
  const mine = and(eq(pointLinks.companyId, companyId), eq(pointLinks.pointId, pointId))
  const [link] = await tx.select().from(pointLinks).where(mine).for('update')
  const before = link?.fault as BlockFault | null | undefined // what was written below
  const same = before?.code === fault.code ? before : undefined
  const kept = { ...fault, since: same?.since ?? at.toISOString(), retried: same?.retried ?? false }
  await tx
    .insert(pointLinks)
    .values({ companyId, pointId, blockedAt: at, fault: kept })
    .onConflictDoUpdate({
      target: [pointLinks.companyId, pointLinks.pointId],
      set: { blockedAt: at, fault: kept },
    })
  const over = await tx
    .update(syncWindows)
    .set({ status: 'failed', fault, finishedAt: at })
    .where(
      and(eq(syncWindows.companyId, companyId), eq(syncWindows.pointId, pointId), eq(syncWindows.status, 'waiting')),
    )
    .returning({ taskId: syncWindows.taskId })
  return { taskIds: over.map(({ taskId }) => taskId), refusal: { pointId, fault: kept } }
}

/** Retries points whose doubtful refusal is a day old. */
export async function retryDoubtfulPoints(tx: Db, companyId: number, now: Date): Promise<void> {
  await tx.execute(sql`
    update point_links set blocked_at = null, fault = fault || '{"retried": true}'
    where company_id = ${companyId} and blocked_at <= ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz
      and fault->>'code' = ${DOUBTFUL_FAULT_CODE} and coalesce(fault->>'retried', 'false') = 'false'`)
}

/** Clears the doubtful fault of points that answer again. */
export async function clearFaults(tx: Db, companyId: number, pointIds: string[]): Promise<void> {
  if (!pointIds.length) return
  await tx
    .update(pointLinks)
    .set({ fault: null })
    .where(
      and(
        eq(pointLinks.companyId, companyId),
        inArray(pointLinks.pointId, pointIds),
        sql`${pointLinks.blockedAt} is null and ${pointLinks.fault} is not null`,
      ),
    )
}

/** Used when the consent is back or the refusal was wrong. */
export async function resumePoint(tx: Db, actor: Actor, id: string) {
  const point = await loadPoint(tx, actor, id)
  await tx
    .update(pointLinks)
    .set({ blockedAt: null, fault: null })
    .where(and(eq(pointLinks.companyId, actor.companyId), eq(pointLinks.pointId, id)))
  return point
}
