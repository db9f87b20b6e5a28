import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { loadJobActor } from '../../../http/job-actor.ts'

/** The first administrator of the company, who is recorded as the author of the demo data. */
export async function loadFirstAdmin(db: Db, companyId: number): Promise<Actor> {
  const { rows } = await db.execute<{ userId: string }>(sql`
    select user_id as "userId" from memberships
     where company_id = ${companyId} and role = 'admin' and accepted_at is not null and disabled_at is null
     order by created_at, user_id limit 1`)
  const actor = rows[0] && (await loadJobActor(db, companyId, rows[0].userId))
  if (!actor) throw new Error('the demo company has no administrator')
  return actor
}
