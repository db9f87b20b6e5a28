import { eq } from 'drizzle-orm'
import { syncErrors, syncTasks } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** What is asked of the distributor is the administrators' business: every call of it is theirs alone. */
export const syncTaskScope = (actor: Actor) => eq(syncTasks.companyId, actor.companyId)
export const syncErrorScope = (actor: Actor) => eq(syncErrors.companyId, actor.companyId)
