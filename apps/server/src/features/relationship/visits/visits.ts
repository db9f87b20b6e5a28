import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { portalVisits } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadVisitChanges } from './changes.ts'

/** Whoever comes back sooner is still on the same visit: what was new an hour ago is shown again. */
const VISIT_MS = 4 * 3_600_000

const isOwnVisit = ({ companyId, userId }: Actor) =>
  and(eq(portalVisits.companyId, companyId), eq(portalVisits.userId, userId))

const isVisitOver = (beganAt: Date, now: Date) => now.getTime() - beganAt.getTime() > VISIT_MS

/** Reading it changes nothing: a visit begins when the browser says so. */
export async function loadChangesSinceLastVisit(db: Db, actor: Actor, now = new Date()) {
  const [row] = await db.select().from(portalVisits).where(isOwnVisit(actor))
  if (!row) return { since: null, fresh: true, items: [] }
  const isNewVisit = isVisitOver(row.beganAt, now)
  const since = (isNewVisit ? row.beganAt : row.beforeAt)?.toISOString() ?? null
  return { since, fresh: isNewVisit, items: since ? await loadVisitChanges(db, actor, since) : [] }
}

/** Twice in the same visit changes nothing. */
export async function beginVisit(tx: Db, actor: Actor, now = new Date()): Promise<void> {
  const { companyId, userId } = actor
  const first = await tx
    .insert(portalVisits)
    .values({ companyId, userId, beganAt: now })
    .onConflictDoNothing()
    .returning({ beganAt: portalVisits.beganAt })
  if (first.length) return
  const [row] = await tx.select().from(portalVisits).where(isOwnVisit(actor)).for('update')
  if (!row || !isVisitOver(row.beganAt, now)) return
  await tx.update(portalVisits).set({ beganAt: now, beforeAt: row.beganAt }).where(isOwnVisit(actor))
}
