import { eq } from 'drizzle-orm'
import { auditEntries } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

export const auditScope = (actor: Actor) => eq(auditEntries.companyId, actor.companyId)
