import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import { formatActorName } from '../../../http/actor.ts'

export type ReportReader = { id: string; name: string; email: string }
const MAX_READERS = 1_000

/** The current members of the company: nobody else receives a report. */
export async function listReportReaders(db: Db, companyId: number, ids?: string[]): Promise<ReportReader[]> {
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
    .limit(MAX_READERS)
  return rows.map(({ id, email, ...names }) => ({ id, email, name: formatActorName({ ...names, email }) }))
}
