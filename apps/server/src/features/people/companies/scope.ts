import { sql } from 'drizzle-orm'
import { companies, memberships } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'

/** The actor's company, and those that a person administers beside it; a key stays in its own. */
export const companyScope = (actor: Actor) => sql`exists (
  select 1 from ${memberships}
   where ${memberships.companyId} = ${companies.id} and ${memberships.userId} = ${actor.userId}
     and (${memberships.companyId} = ${actor.companyId}
       or ${actor.kind === 'person'} and ${memberships.role} = 'admin' and ${memberships.operationIds} is null)
     and ${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null)`
