import { and, eq, ne, sql } from 'drizzle-orm'
import type { Source } from '../../../core/search.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import { userScope } from './scope.ts'
import { VIEW } from './view.ts'

const name = sql<string>`trim(${VIEW.firstName} || ' ' || ${VIEW.lastName})`
const text = sql<string>`search_key(${name} || ' ' || ${users.email})`

/** The people of the back office; a client is found as the participant that they are. */
export const searchUsers: Source = async (db, actor, look) => {
  const rows = await db
    .select({ id: users.id, name, email: users.email, text })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(userScope(actor), ne(memberships.role, 'client'), look.holds(text)))
    .orderBy(look.rank(text), users.email)
    .limit(look.most)
  return rows.map(({ id, name: title, email, text: words }) => ({
    kind: 'user',
    id,
    title: title || email,
    detail: title ? email : '',
    to: `/users?q=${encodeURIComponent(email)}`,
    text: words,
  }))
}
