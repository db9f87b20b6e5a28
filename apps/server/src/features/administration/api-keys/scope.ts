import { eq } from 'drizzle-orm'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The API keys of the actor's company. */
export const apiKeyScope = (actor: Actor) => eq(apiKeys.companyId, actor.companyId)
