import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'

/**
 * Last sign-in of each person of a company (`user_id`, `at`), to be joined to company tables. Accounts are on the first
 * machine of a Citus cluster: where company rows are elsewhere they are read first and passed as values. A join would
 * be sent to every machine, and one that is down would block the other companies.
 */
export async function loadSignInsSql(db: Db, companyId: number): Promise<SQL> {
  if (!db.$jobs.spread) return sql`sign_ins`
  const { rows } = await db.execute<{ users: string[] | null; times: string[] | null }>(sql`
    select array_agg(i.user_id::text) as users, array_agg(i.at::text) as times
      from sign_ins i join memberships m on m.user_id = i.user_id where m.company_id = ${companyId}`)
  const { users, times } = rows[0] ?? {}
  return sql`(select u.user_id, u.at from unnest(${sql.param(users ?? [])}::uuid[], ${sql.param(times ?? [])}::timestamptz[]) u(user_id, at))`
}
