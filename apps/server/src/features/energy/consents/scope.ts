import { and, eq } from 'drizzle-orm'
import { participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** Consents are given for the company's participants; a client speaks for their own alone. */
export const consenterScope = (actor: Actor) =>
  and(eq(participants.companyId, actor.companyId), actor.isAdmin ? undefined : eq(participants.userId, actor.userId))
