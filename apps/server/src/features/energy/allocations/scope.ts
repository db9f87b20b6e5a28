import { and, eq } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The computations of the actor's company, within their limit. */
export const runScope = (actor: Actor) =>
  and(eq(allocationRuns.companyId, actor.companyId), withinLimit(actor, allocationRuns.operationId))
