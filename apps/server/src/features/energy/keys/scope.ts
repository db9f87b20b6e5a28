import { and, eq } from 'drizzle-orm'
import { withinLimit } from '../../../core/limit.ts'
import { keys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The keys of the actor's company, within their limit. */
export const keyScope = (actor: Actor) => and(eq(keys.companyId, actor.companyId), withinLimit(actor, keys.operationId))
