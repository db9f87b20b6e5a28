import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { applications } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** Those of the company's operations that the actor sees; in the portal, the departures that one asked for oneself. */
export const applicationScope = (actor: Actor) =>
  and(
    eq(applications.companyId, actor.companyId),
    actor.space === 'office'
      ? withinOperationLimit(actor, applications.operationId)
      : eq(applications.userId, actor.userId),
  )
