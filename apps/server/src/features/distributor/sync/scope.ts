import { eq } from 'drizzle-orm'
import { syncErrors, syncTasks } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** For administrators only: distributor requests concern all members of the company. */
export const syncTaskScope = (actor: Actor) => eq(syncTasks.companyId, actor.companyId)
export const syncErrorScope = (actor: Actor) => eq(syncErrors.companyId, actor.companyId)
