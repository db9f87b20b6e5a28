import { and, eq } from 'drizzle-orm'
import { apiKeys } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The API keys of the company, without the tokens that members created to read their own data. */
export const apiKeyScope = (actor: Actor) => and(eq(apiKeys.companyId, actor.companyId), eq(apiKeys.space, 'office'))
