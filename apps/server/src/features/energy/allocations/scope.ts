import { and, eq } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The runs of the actor's company, within the operations they are limited to. */
export const allocationRunScope = (actor: Actor) =>
  and(eq(allocationRuns.companyId, actor.companyId), withinOperationLimit(actor, allocationRuns.operationId))
