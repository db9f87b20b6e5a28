import { sql } from 'drizzle-orm'
import { companies, memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The session's company, and those the actor administers beside it. */
export const companyScope = (actor: Actor) => sql`exists (
  select 1 from ${memberships}
   where ${memberships.companyId} = ${companies.id} and ${memberships.userId} = ${actor.userId}
     and (${memberships.companyId} = ${actor.companyId} or ${memberships.role} = 'admin')
     and ${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null)`
