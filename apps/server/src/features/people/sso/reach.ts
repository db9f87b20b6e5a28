import { isPermission, type Permission } from '@voisol/contract/permissions'
import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, ssoDomains, users } from '../../../db/schema/index.ts'
import { type Actor, type PersonRow, permissionsOf } from '../../../http/actor.ts'
import { requireHeld } from '../roles/roles.ts'
import { roleOf } from '../users/users.ts'
import { type Connection, mappedOf } from './scope.ts'

/** The rights of those whom a connection could let in already: the members with an address of its domains, proved or about to be. */
async function membersRights(tx: Db, { companyId, id }: Connection): Promise<Permission[]> {
  const domains = tx
    .select({ domain: ssoDomains.domain })
    .from(ssoDomains)
    .where(and(eq(ssoDomains.companyId, companyId), eq(ssoDomains.connectionId, id)))
  const rows = await tx
    .select({
      keepsSite: companies.keepsSite,
      roleKey: sql<PersonRow['roleKey']>`${memberships.role}`,
      ownRole: { name: roles.name, permissions: roles.permissions },
      operationIds: memberships.operationIds,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(and(eq(memberships.companyId, companyId), inArray(sql`lower(split_part(${users.email}, '@', 2))`, domains)))
  return [...new Set(rows.flatMap(permissionsOf))]
}

/** The rights that a sign-in gives to somebody new. */
async function givenRights(tx: Db, actor: Actor, connection: Connection): Promise<Permission[]> {
  const wanted = [...mappedOf(connection).map(({ role }) => role), connection.defaultRole].filter(
    (role) => role !== null,
  )
  const held = await Promise.all(wanted.map((role) => rightsOf(tx, actor, role)))
  return [...new Set(held.flat())]
}

async function rightsOf(tx: Db, actor: Actor, role: string): Promise<readonly Permission[]> {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].permissions
  return (await roleOf(tx, actor, role)).held.filter(isPermission)
}

/** Who decides which provider is believed decides who comes in: nobody opens by it more than they hold themselves. */
export async function requireReach(tx: Db, actor: Actor, connection: Connection): Promise<void> {
  requireHeld(actor, await givenRights(tx, actor, connection))
  requireHeld(actor, await membersRights(tx, connection))
}
