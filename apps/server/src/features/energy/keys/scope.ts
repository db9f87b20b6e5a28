import { eq } from 'drizzle-orm'
import { keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** The keys of the actor's company. */
export const keyScope = (actor: Actor) => eq(keys.companyId, actor.companyId)
