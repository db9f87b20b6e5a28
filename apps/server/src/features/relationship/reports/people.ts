import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import { nameOfActor } from '../../../http/actor.ts'

export type Reader = { id: string; name: string; email: string }
const MOST = 1_000

/** Who belongs to the company today: nobody else is sent anything of it. */
export async function readersOf(db: Db, companyId: number, ids?: string[]): Promise<Reader[]> {
  if (ids?.length === 0) return []
  const rows = await db
    .select({ id: users.id, email: users.email, firstName: users.firstName, lastName: users.lastName })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
        ids && inArray(users.id, ids),
      ),
    )
    .orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
    .limit(MOST)
  return rows.map(({ id, email, ...names }) => ({ id, email, name: nameOfActor({ ...names, email }) }))
}
