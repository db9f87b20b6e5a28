import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ssoGroupMembers, ssoGroups } from '../../../db/schema/index.ts'
import { disableUser, getUser, updateUser } from '../users/users.ts'
import type { Directory } from './scim-users.ts'
import { mappedOf } from './scope.ts'
import { roleFor } from './settle.ts'

async function groupsOf(tx: Db, { connection: { companyId, id } }: Directory, userId: string): Promise<string[]> {
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
export async function giveRoles(tx: Db, directory: Directory, groups: string[], people: string[]): Promise<void> {
  const { connection, actor } = directory
  const rules = mappedOf(connection).map(({ group }) => group.toLowerCase())
  if (!groups.some((name) => rules.includes(name.toLowerCase()))) return
  for (const id of [...new Set(people)].sort()) {
    const role = roleFor(connection, await groupsOf(tx, directory, id))
    const user = await getUser(tx, actor, id)
    if (role === null) {
      await disableUser(tx, actor, id)
      continue
    }
    if (user.role === role) continue
    const { firstName, lastName, phone, operationIds, version } = user
    await updateUser(tx, actor, id, { firstName, lastName, phone, operationIds, version, role })
  }
}
