import { BuiltInRole, ROLES, type RoleRef } from '@voisol/contract/roles'
import { and, eq } from 'drizzle-orm'
import { requireOperations } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { roles } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { findRole, requireHeld } from '../roles/roles.ts'

type Wanted = { role: RoleRef; operationIds?: string[] | null | undefined }
type Place = { role: string; roleId: string | null; operationIds: string[] | null }

/** The rights of a role, and how it is kept. */
export async function roleOf(tx: Db, actor: Actor, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null, held: ROLES[builtIn.data].permissions }
  const own = await findRole(tx, actor, role).catch(() => undefined)
  if (!own) throw fieldError('role', 'Ce rôle n’existe pas dans votre organisation.')
  return { role: 'custom', roleId: own.id, held: own.permissions }
}

/** How a role that was promised beforehand is kept; undefined where the company has it no longer. */
export async function keptRole(tx: Db, { companyId }: { companyId: number }, role: RoleRef) {
  const builtIn = BuiltInRole.safeParse(role)
  if (builtIn.success) return { role: builtIn.data, roleId: null }
  const [own] = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.companyId, companyId), eq(roles.id, role)))
  return own && { role: 'custom', roleId: own.id }
}

/** Where somebody stands in the company: role and limit, once it is sure that the actor may give them. */
export async function placeOf(tx: Db, actor: Actor, wanted: Wanted, before?: Wanted): Promise<Place> {
  const asked = wanted.operationIds === undefined ? (before?.operationIds ?? null) : wanted.operationIds
  const { held, ...place } = await roleOf(tx, actor, wanted.role)
  // The portal shows what is one's own: there is nothing to limit.
  const operationIds = place.role === 'client' ? null : asked
  if (operationIds && operationIds !== before?.operationIds) await requireOperations(tx, actor, operationIds)
  const same = before?.role === wanted.role && String(before.operationIds) === String(operationIds)
  if (!same) requireHeld(actor, held, operationIds !== null)
  return { ...place, operationIds: operationIds && [...new Set(operationIds)] }
}
