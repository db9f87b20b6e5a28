import { eq } from 'drizzle-orm'
import { webhooks } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export const webhookScope = (actor: Actor) => eq(webhooks.companyId, actor.companyId)
