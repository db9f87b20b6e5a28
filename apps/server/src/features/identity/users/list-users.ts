import { BuiltInRole, ROLES, type RoleRef } from '@voisol/contract/roles'
import type { User, UserQuery } from '@voisol/contract/users'
import { and, asc, count, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { SearchSource } from '../../../core/search.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { memberships, passkeys, roles, signIns, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/** The members of the user's company. */
export const userScope = (actor: Actor) => eq(memberships.companyId, actor.companyId)

type Query = z.output<typeof UserQuery>

const isInvitationPending = sql`${memberships.acceptedAt} is null`
const status = sql<User['status']>`case when ${memberships.disabledAt} is not null then 'disabled'
  when ${isInvitationPending} then 'invited' else 'active' end`

/** While an invitation is pending, the company sees the data it entered, and nothing of an existing account. */
const USER_COLUMNS = {
  id: users.id,
  email: users.email,
  firstName: sql<string>`case when ${isInvitationPending} then ${memberships.invitedFirstName} else ${users.firstName} end`,
  lastName: sql<string>`case when ${isInvitationPending} then ${memberships.invitedLastName} else ${users.lastName} end`,
  phone: sql<string>`case when ${isInvitationPending} then '' else ${users.phone} end`,
  role: sql<RoleRef>`coalesce(${memberships.roleId}::text, ${memberships.role})`,
  ownRoleName: roles.name,
  operationIds: memberships.operationIds,
  status,
  secondFactor: sql<boolean>`(not ${isInvitationPending} and (${users.totpEnabledAt} is not null
    or exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})))`,
  lastSignInAt: sql<Date | null>`case when ${isInvitationPending} then null else ${signIns.at} end`.mapWith(signIns.at),
  createdAt: memberships.createdAt,
  /** Either row may change: the sum of two increasing versions changes with both. */
  version: sql<number>`${memberships.version} + ${users.version}`,
}

const SORTS = {
  name: sql`fold(concat_ws(' ', ${USER_COLUMNS.lastName}, ${USER_COLUMNS.firstName}))`,
  email: users.email,
  role: sql`coalesce(fold(${roles.name}), array_position(array['admin', 'manager', 'accountant', 'technician', 'reader', 'client'], ${memberships.role})::text)`,
  status,
  lastSignInAt: USER_COLUMNS.lastSignInAt,
  createdAt: memberships.createdAt,
}

const selectUsers = (db: Db, where: SQL | undefined) =>
  db
    .select(USER_COLUMNS)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(signIns, eq(signIns.userId, memberships.userId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(where)

const toUser = ({ ownRoleName, ...row }: Awaited<ReturnType<typeof selectUsers>>[number]): User => ({
  ...row,
  roleName: ownRoleName ?? ROLES[BuiltInRole.parse(row.role)].label,
  lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

const buildUserFilter = (actor: Actor, { q, role, status: wanted }: Query) =>
  and(
    userScope(actor),
    role ? sql`${USER_COLUMNS.role} = ${role}` : undefined,
    wanted && sql`${status} = ${wanted}`,
    matchesSearchWords(q, [USER_COLUMNS.firstName, USER_COLUMNS.lastName, users.email]),
  )

const getUserOrder = (sort: string | undefined) => [buildOrderBy(sort, SORTS, 'name'), asc(users.id)] as const

export async function listCompanyUsers(db: Db, actor: Actor, query: Query) {
  const where = buildUserFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectUsers(db, where)
    .orderBy(...getUserOrder(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(where)
  return { items: rows.map(toUser), total: all?.n ?? 0 }
}

/** The same rows in the same order, without pagination. */
export const listAllUsers = async (db: Db, actor: Actor, query: Query) =>
  (await selectUsers(db, buildUserFilter(actor, query)).orderBy(...getUserOrder(query.sort))).map(toUser)

export async function loadUser(db: Db, actor: Actor, id: string): Promise<User> {
  const [row] = await selectUsers(db, and(userScope(actor), eq(users.id, id)))
  if (!row) throw new AppError('not-found')
  return toUser(row)
}

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
