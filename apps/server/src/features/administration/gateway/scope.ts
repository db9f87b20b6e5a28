import { sql } from 'drizzle-orm'
import type { Actor } from '../../../http/actor.ts'

/** The calls of the user's company. */
export const callScope = (actor: Actor) => sql`company_id = ${actor.companyId}`
