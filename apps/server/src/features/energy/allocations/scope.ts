import { eq } from 'drizzle-orm'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** The computations of the actor's company. */
export const runScope = (actor: Actor) => eq(allocationRuns.companyId, actor.companyId)
