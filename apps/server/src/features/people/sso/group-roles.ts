import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoGroupMembers, ssoGroups } from '../../../db/schema/index.ts'
import { disableMember, loadUser, updateUser } from '../users/users.ts'
import type { ScimDirectory } from './scim-users.ts'
import { getSsoRoleRules } from './scope.ts'
import { getRoleForGroups } from './settle.ts'

async function listGroupNames(
  tx: Db,
  { connection: { companyId, id } }: ScimDirectory,
  userId: string,
): Promise<string[]> {
  const rows = await tx
    .select({ name: ssoGroups.displayName })
    .from(ssoGroupMembers)
    .innerJoin(
      ssoGroups,
      and(eq(ssoGroups.companyId, ssoGroupMembers.companyId), eq(ssoGroups.id, ssoGroupMembers.groupId)),
    )
    .where(and(eq(ssoGroups.companyId, companyId), eq(ssoGroups.connectionId, id), eq(ssoGroupMembers.userId, userId)))
  return rows.map(({ name }) => name)
}

/**
 * Who joined or left a group that a rule of the connection names has the role that their groups give now. With none left
 * they have the role of whoever is in no group, and where there is none such they are shut out: a right that a group gave
 * does not outlive it. Groups that no rule names change nothing.
 */
export async function applyGroupRoles(
  tx: Db,
  directory: ScimDirectory,
  groups: string[],
  people: string[],
): Promise<void> {
  const { connection, actor } = directory
  const rules = getSsoRoleRules(connection).map(({ group }) => group.toLowerCase())
  if (!groups.some((name) => rules.includes(name.toLowerCase()))) return
  for (const id of [...new Set(people)].sort()) {
    const role = getRoleForGroups(connection, await listGroupNames(tx, directory, id))
    const user = await loadUser(tx, actor, id)
    if (role === null) {
      await disableMember(tx, actor, id)
      continue
    }
    if (user.role === role) continue
    const { firstName, lastName, phone, operationIds, version } = user
    await updateUser(tx, actor, id, { firstName, lastName, phone, operationIds, version, role })
  }
}
