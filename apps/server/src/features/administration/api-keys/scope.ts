import { and, eq } from 'drizzle-orm'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The API keys of the actor's company; what people made to read their own figures is theirs. */
export const apiKeyScope = (actor: Actor) => and(eq(apiKeys.companyId, actor.companyId), eq(apiKeys.space, 'office'))
