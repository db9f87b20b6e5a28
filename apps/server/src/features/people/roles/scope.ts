import { eq } from 'drizzle-orm'
import { roles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The custom roles of the user's company. */
export const roleScope = (actor: Actor) => eq(roles.companyId, actor.companyId)
