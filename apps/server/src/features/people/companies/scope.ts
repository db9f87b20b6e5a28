import { sql } from 'drizzle-orm'
import { companies, memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/**
 * The user's company, and another one named in the call if `requireReach` let the session into it and the user
 * administers it. Every other company is answered as not found.
 */
export const companyScope = (actor: Actor) => sql`exists (
  select 1 from ${memberships}
   where ${memberships.companyId} = ${companies.id} and ${memberships.userId} = ${actor.userId}
     and (${memberships.companyId} = ${actor.companyId}
       or ${memberships.companyId} = ${actor.namedCompanyId ?? null}::int and ${memberships.role} = 'admin' and ${memberships.operationIds} is null)
     and ${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null)`
