import type { Permission } from '@voisol/contract/permissions'
import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, roles, users } from '../../../db/schema/index.ts'
import { computePermissions, type PersonRow } from '../../../http/actor.ts'

/** Members with the permission; for an operation, only those with access to it. */
export type RecipientFilter = { permission: Permission; operationId?: string | undefined }
export type Recipient = { id: string; email: string; firstName: string }

const selectMembers = (tx: Db, companyId: number, to: RecipientFilter | string[]) =>
  tx
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      keepsSite: companies.keepsSite,
      roleKey: sql<PersonRow['roleKey']>`${memberships.role}`,
      ownRole: { name: roles.name, permissions: roles.permissions },
      operationIds: memberships.operationIds,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .leftJoin(roles, and(eq(roles.companyId, memberships.companyId), eq(roles.id, memberships.roleId)))
    .where(
      and(
        eq(memberships.companyId, companyId),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
        Array.isArray(to) ? inArray(users.id, to) : ne(memberships.role, 'client'),
      ),
    )
    .orderBy(users.id)

export async function findRecipients(
  tx: Db,
  { companyId, to }: { companyId: number; to: RecipientFilter | string[] },
): Promise<Recipient[]> {
  const found = await selectMembers(tx, companyId, to)
  if (Array.isArray(to)) return found
  const { permission, operationId } = to
  return found.filter(
    (member) =>
      computePermissions(member).includes(permission) &&
      (member.operationIds === null || (operationId !== undefined && member.operationIds.includes(operationId))),
  )
}
