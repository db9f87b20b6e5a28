import { and, eq, type SQL, sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { dataExports, exportPlans } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * Exports are private, because a file holds what its requester could see. An API key sees what it requested; a user
 * limited to fewer operations since then loses the earlier exports.
 */
export const exportScope = (actor: Actor): SQL | undefined =>
  and(
    eq(dataExports.companyId, actor.companyId),
    eq(dataExports.userId, actor.userId),
    actor.keyId ? eq(dataExports.keyId, actor.keyId) : undefined,
    actor.operationIds ? sql`${dataExports.within} <@ ${sql.param([...actor.operationIds])}::uuid[]` : undefined,
  )

/** As for exports, except that the user who created an API key also sees what the key planned. */
export const exportPlanScope = (actor: Actor): SQL | undefined =>
  and(
    eq(exportPlans.companyId, actor.companyId),
    eq(exportPlans.makerId, actor.userId),
    actor.keyId ? eq(exportPlans.keyId, actor.keyId) : undefined,
    withinOperationLimit(actor, exportPlans.operationId),
  )
