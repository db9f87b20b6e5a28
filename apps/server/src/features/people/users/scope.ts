import { eq } from 'drizzle-orm'
import { memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The members of the user's company. */
export const userScope = (actor: Actor) => eq(memberships.companyId, actor.companyId)
