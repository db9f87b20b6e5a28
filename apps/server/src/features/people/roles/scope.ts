import { eq } from 'drizzle-orm'
import { roles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The roles that the actor's company defined. */
export const roleScope = (actor: Actor) => eq(roles.companyId, actor.companyId)
