import { BuiltInRole, ROLES, type RoleRef } from '@voisol/contract/roles'
import type { User, UserQuery } from '@voisol/contract/users'
import { and, asc, count, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { memberships, passkeys, roles, signIns, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { userScope } from './scope.ts'

type Query = z.output<typeof UserQuery>

const waiting = sql`${memberships.acceptedAt} is null`
const status = sql<User['status']>`case when ${memberships.disabledAt} is not null then 'disabled'
  when ${waiting} then 'invited' else 'active' end`

/** While an invitation waits, its company sees what it wrote in it, and nothing of the account that may stand behind. */
export const VIEW = {
  id: users.id,
  email: users.email,
  firstName: sql<string>`case when ${waiting} then ${memberships.invitedFirstName} else ${users.firstName} end`,
  lastName: sql<string>`case when ${waiting} then ${memberships.invitedLastName} else ${users.lastName} end`,
  phone: sql<string>`case when ${waiting} then '' else ${users.phone} end`,
  role: sql<RoleRef>`coalesce(${memberships.roleId}::text, ${memberships.role})`,
  ownRoleName: roles.name,
  operationIds: memberships.operationIds,
  status,
  secondFactor: sql<boolean>`(not ${waiting} and (${users.totpEnabledAt} is not null
    or exists (select 1 from ${passkeys} where ${passkeys.userId} = ${users.id})))`,
  lastSignInAt: sql<Date | null>`case when ${waiting} then null else ${signIns.at} end`.mapWith(signIns.at),
  createdAt: memberships.createdAt,
  /** Either record may change: the sum of two counters that only grow moves with both. */
  version: sql<number>`${memberships.version} + ${users.version}`,
}

const SORTS = {
  name: sql`fold(concat_ws(' ', ${VIEW.lastName}, ${VIEW.firstName}))`,
  email: users.email,
  role: sql`coalesce(fold(${roles.name}), array_position(array['admin', 'manager', 'accountant', 'technician', 'reader', 'client'], ${memberships.role})::text)`,
  status,
  lastSignInAt: VIEW.lastSignInAt,
  createdAt: memberships.createdAt,
}

const read = (db: Db, where: SQL | undefined) =>
  db
    .select(VIEW)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(signIns, eq(signIns.userId, memberships.userId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(where)

const toUser = ({ ownRoleName, ...row }: Awaited<ReturnType<typeof read>>[number]): User => ({
  ...row,
  roleName: ownRoleName ?? ROLES[BuiltInRole.parse(row.role)].label,
  lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

const filtered = (actor: Actor, { q, role, status: wanted }: Query) =>
  and(
    userScope(actor),
    role ? sql`${VIEW.role} = ${role}` : undefined,
    wanted && sql`${status} = ${wanted}`,
    matches(q, [VIEW.firstName, VIEW.lastName, users.email]),
  )

const ordered = (sort: string | undefined) => [orderBy(sort, SORTS, 'name'), asc(users.id)] as const

export async function listUsers(db: Db, actor: Actor, query: Query) {
  const where = filtered(actor, query)
  const { limit, offset } = pageOf(query)
  const rows = await read(db, where)
    .orderBy(...ordered(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db
    .select({ n: count() })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(where)
  return { items: rows.map(toUser), total: all?.n ?? 0 }
}

/** The same people in the same order, without pages. */
export const allUsers = async (db: Db, actor: Actor, query: Query) =>
  (await read(db, filtered(actor, query)).orderBy(...ordered(query.sort))).map(toUser)

export async function getUser(db: Db, actor: Actor, id: string): Promise<User> {
  const [row] = await read(db, and(userScope(actor), eq(users.id, id)))
  if (!row) throw new AppError('not-found')
  return toUser(row)
}
