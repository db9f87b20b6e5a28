import { sql } from 'drizzle-orm'
import { companies, memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/session.ts'

/** The companies the actor administers, whichever the session is on. */
export const companyScope = (actor: Actor) => sql`exists (
  select 1 from ${memberships}
   where ${memberships.companyId} = ${companies.id} and ${memberships.userId} = ${actor.userId}
     and ${memberships.isAdmin} and ${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null)`
