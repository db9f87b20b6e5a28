import { and, eq, ne, sql } from 'drizzle-orm'
import type { SearchSource } from '../../../core/search.ts'
import { memberships, users } from '../../../db/schema/index.ts'
import { userScope } from './scope.ts'
import { USER_COLUMNS } from './view.ts'

const fullName = sql<string>`trim(${USER_COLUMNS.firstName} || ' ' || ${USER_COLUMNS.lastName})`
const searchText = sql<string>`search_key(${fullName} || ' ' || ${users.email})`

/** Back office members; clients are found as participants instead. */
export const searchUsers: SearchSource = async (db, actor, look) => {
  const rows = await db
    .select({ id: users.id, name: fullName, email: users.email, text: searchText })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(userScope(actor), ne(memberships.role, 'client'), look.holds(searchText)))
    .orderBy(look.rank(searchText), users.email)
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
