import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { applications } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Applications for operations that the user can access; in the portal, the user's own departures. */
export const applicationScope = (actor: Actor) =>
  and(
    eq(applications.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, applications.operationId)
      : eq(applications.userId, actor.userId),
  )
