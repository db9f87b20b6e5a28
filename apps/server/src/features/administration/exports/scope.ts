import { and, eq, type SQL, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { dataExports, exportPlans } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * One's own: a file holds what its asker could see, which another may not. By a key, what was asked for by it; and
 * somebody who was limited since does not keep what they took before.
 */
export const exportScope = (actor: Actor): SQL | undefined =>
  and(
    eq(dataExports.companyId, actor.companyId),
    eq(dataExports.userId, actor.userId),
    actor.keyId ? eq(dataExports.keyId, actor.keyId) : undefined,
    actor.operationIds ? sql`${dataExports.within} <@ ${sql.param([...actor.operationIds])}::uuid[]` : undefined,
  )

/** As of exports: a key keeps what was planned by it, its maker all of it. */
export const exportPlanScope = (actor: Actor): SQL | undefined =>
  and(
    eq(exportPlans.companyId, actor.companyId),
    eq(exportPlans.makerId, actor.userId),
    actor.keyId ? eq(exportPlans.keyId, actor.keyId) : undefined,
    withinOperationLimit(actor, exportPlans.operationId),
  )
