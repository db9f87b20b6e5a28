import { eq } from 'drizzle-orm'
import { flowRules } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export const ruleScope = (actor: Actor) => eq(flowRules.companyId, actor.companyId)
