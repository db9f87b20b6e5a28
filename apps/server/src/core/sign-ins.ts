import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'

/**
 * When the people of a company last signed in (`user_id`, `at`), to be joined to what is the company's. That is on the first
 * machine: where the company's rows are on another it is read first, and told with the question. Joined, Citus would hand it
 * to every machine, and one that is away would hold up the companies of the others.
 */
export async function loadSignInsSql(db: Db, companyId: number): Promise<SQL> {
  if (!db.$jobs.spread) return sql`sign_ins`
  const { rows } = await db.execute<{ users: string[] | null; times: string[] | null }>(sql`
    select array_agg(i.user_id::text) as users, array_agg(i.at::text) as times
      from sign_ins i join memberships m on m.user_id = i.user_id where m.company_id = ${companyId}`)
  const { users, times } = rows[0] ?? {}
  return sql`(select u.user_id, u.at from unnest(${sql.param(users ?? [])}::uuid[], ${sql.param(times ?? [])}::timestamptz[]) u(user_id, at))`
}
