import { isPermission, type Permission } from '@voisol/contract/permissions'
import { BuiltInRole, ROLES } from '@voisol/contract/roles'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, ssoDomains, users } from '../../../db/schema/index.ts'
import { type Actor, computePermissions, type PersonRow } from '../../../http/actor.ts'
import { requireGrantablePermissions } from '../roles/roles.ts'
import { requireCompanyRole } from '../users/users.ts'
import { getSsoRoleRules, type SsoConnectionRow } from './scope.ts'

/** The rights of those whom a connection could let in already: the members with an address of its domains, proved or about to be. */
async function listMemberPermissions(tx: Db, { companyId, id }: SsoConnectionRow): Promise<Permission[]> {
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
  return [...new Set(rows.flatMap(computePermissions))]
}

/** The rights that a sign-in gives to somebody new. */
async function listGrantedPermissions(tx: Db, actor: Actor, connection: SsoConnectionRow): Promise<Permission[]> {
  const roleIds = [...getSsoRoleRules(connection).map(({ role }) => role), connection.defaultRole].filter(
    (role) => role !== null,
  )
  const permissionLists = await Promise.all(roleIds.map((role) => loadRolePermissions(tx, actor, role)))
  return [...new Set(permissionLists.flat())]
}

async function loadRolePermissions(tx: Db, actor: Actor, role: string): Promise<readonly Permission[]> {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return ROLES[builtIn.data].permissions
  return (await requireCompanyRole(tx, actor, role)).held.filter(isPermission)
}

/** Who decides which provider is believed decides who comes in: nobody opens by it more than they hold themselves. */
export async function requireConnectionPermissions(tx: Db, actor: Actor, connection: SsoConnectionRow): Promise<void> {
  requireGrantablePermissions(actor, await listGrantedPermissions(tx, actor, connection))
  requireGrantablePermissions(actor, await listMemberPermissions(tx, connection))
}
