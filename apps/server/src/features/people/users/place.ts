import { BuiltInRole, ROLES, type RoleRef } from '@voisol/contract/roles'
import { and, eq } from 'drizzle-orm'
import { requireVisibleOperations } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { roles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { loadRole, requireGrantablePermissions } from '../roles/roles.ts'

type AssignRoleInput = { role: RoleRef; operationIds?: string[] | null | undefined }
type RoleAssignment = { role: string; roleId: string | null; operationIds: string[] | null }

/** Requires a role of the company, and returns its permissions and its stored columns. */
export async function requireCompanyRole(tx: Db, actor: Actor, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null, held: ROLES[builtIn.data].permissions }
  const own = await loadRole(tx, actor, role).catch(() => undefined)
  if (!own) throw fieldError('role', 'Ce rôle n’existe pas dans votre organisation.')
  return { role: 'custom', roleId: own.id, held: own.permissions }
}

/** The stored columns of a role chosen earlier; undefined when the company no longer has it. */
export async function findRoleColumns(tx: Db, { companyId }: { companyId: number }, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null }
  const [own] = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.companyId, companyId), eq(roles.id, role)))
  return own && { role: 'custom', roleId: own.id }
}

/** Validates the role and the limit, and checks that the user may grant them. */
export async function prepareRoleAssignment(
  tx: Db,
  actor: Actor,
  wanted: AssignRoleInput,
  before?: AssignRoleInput,
): Promise<RoleAssignment> {
  const requestedIds = wanted.operationIds === undefined ? (before?.operationIds ?? null) : wanted.operationIds
  const { held: granted, ...place } = await requireCompanyRole(tx, actor, wanted.role)
  // The portal shows only the client's own data: there is nothing to limit.
  const operationIds = place.role === 'client' ? null : requestedIds
  if (operationIds && operationIds !== before?.operationIds) await requireVisibleOperations(tx, actor, operationIds)
  const same = before?.role === wanted.role && String(before.operationIds) === String(operationIds)
  if (!same) requireGrantablePermissions(actor, granted, operationIds !== null)
  return { ...place, operationIds: operationIds && [...new Set(operationIds)] }
}
