import { isDeepStrictEqual } from 'node:util'
import { isPermission, narrowPermissions, type Permission, permissions } from '@voisol/contract/permissions'
import { BUILT_IN_ROLES, type NewRole, ROLES, type Role } from '@voisol/contract/roles'
import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCompany } from '../../../core/company-state.ts'
import type { Db } from '../../../db/client.ts'
import { memberships, roles } from '../../../db/schema/index.ts'
import { recordEvent } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'

type RoleInput = z.output<typeof NewRole>
type Row = typeof roles.$inferSelect

/** Permissions in list order without duplicates; those that no longer exist are dropped. */
const sortPermissions = (given: readonly string[]): Permission[] => {
  const known = new Set(given.filter(isPermission))
  return permissions.filter((permission) => known.has(permission))
}

const toRole = (row: Row, people: number): Role => ({
  id: row.id,
  name: row.name,
  purpose: '',
  builtIn: false,
  permissions: sortPermissions(row.permissions),
  people,
  createdAt: row.createdAt.toISOString(),
  version: row.version,
})

/** Built-in roles first, then the company's own by name. */
export async function listRoles(db: Db, actor: Actor): Promise<Role[]> {
  const key = sql<string>`coalesce(${memberships.roleId}::text, ${memberships.role})`
  const counted = await db
    .select({ key, n: count() })
    .from(memberships)
    .where(eq(memberships.companyId, actor.companyId))
    .groupBy(key)
  const people = new Map(counted.map((row) => [row.key, row.n]))
  const own = await db
    .select()
    .from(roles)
    .where(roleScope(actor))
    .orderBy(asc(sql`fold(${roles.name})`))
  const builtIn = BUILT_IN_ROLES.map((id) => {
    const { label: name, purpose, permissions: granted } = ROLES[id]
    return { id, name, purpose, builtIn: true, permissions: [...granted], createdAt: null, version: 1 }
  })
  return [
    ...builtIn.map((role) => ({ ...role, people: people.get(role.id) ?? 0 })),
    ...own.map((row) => toRole(row, people.get(row.id) ?? 0)),
  ]
}

export async function loadRole(db: Db, actor: Actor, id: string): Promise<Role> {
  const role = (await listRoles(db, actor)).find((one) => one.id === id && !one.builtIn)
  if (!role) throw new AppError('not-found')
  return role
}

async function requireFreeName(tx: Db, actor: Actor, name: string, exceptId?: string) {
  const same = await tx
    .select({ id: roles.id })
    .from(roles)
    .where(
      and(roleScope(actor), sql`fold(${roles.name}) = fold(${name})`, exceptId ? ne(roles.id, exceptId) : undefined),
    )
  const taken = same.length || BUILT_IN_ROLES.some((id) => ROLES[id].label.toLowerCase() === name.toLowerCase())
  if (taken) throw fieldError('name', `Un rôle se nomme déjà «\u00a0${name}\u00a0».`, 'conflict')
}

type RoleEvent = 'role.defined' | 'role.changed' | 'role.removed'

const recordRoleChange = (
  tx: Db,
  { companyId }: Actor,
  change: RoleEvent,
  { id, name, permissions: opened, people }: Role,
) => recordEvent(tx, { companyId, name: change, object: id, data: { roleId: id, name, permissions: opened, people } })

export async function createRole(tx: Db, actor: Actor, { name, permissions: given }: RoleInput): Promise<Role> {
  await lockCompany(tx, actor.companyId)
  requireGrantablePermissions(actor, given)
  await requireFreeName(tx, actor, name)
  const [row] = await tx
    .insert(roles)
    .values({ companyId: actor.companyId, name, permissions: sortPermissions(given) })
    .returning()
  if (!row) throw new AppError('conflict')
  const role = toRole(row, 0)
  await recordRoleChange(tx, actor, 'role.defined', role)
  return role
}

export async function updateRole(tx: Db, actor: Actor, id: string, input: RoleInput & { version: number }) {
  await lockCompany(tx, actor.companyId)
  const before = await loadRole(tx, actor, id)
  requireCurrentVersion(before, input)
  requireGrantablePermissions(actor, [...before.permissions, ...input.permissions])
  await requireFreeName(tx, actor, input.name, id)
  await tx
    .update(roles)
    .set({ name: input.name, permissions: sortPermissions(input.permissions), version: before.version + 1 })
    .where(and(roleScope(actor), eq(roles.id, id)))
  const after = await loadRole(tx, actor, id)
  const same = before.name === after.name && isDeepStrictEqual(before.permissions, after.permissions)
  if (!same) await recordRoleChange(tx, actor, 'role.changed', after)
  return { before, after }
}

export async function removeRole(tx: Db, actor: Actor, id: string): Promise<Role> {
  await lockCompany(tx, actor.companyId)
  const role = await loadRole(tx, actor, id)
  requireGrantablePermissions(actor, role.permissions)
  if (role.people)
    throw new AppError('conflict', {
      message: `«\u00a0${role.name}\u00a0» est encore le rôle de ${role.people} personne${role.people > 1 ? 's' : ''}\u00a0: donnez-leur-en un autre d’abord.`,
    })
  await tx.delete(roles).where(and(roleScope(actor), eq(roles.id, id)))
  await recordRoleChange(tx, actor, 'role.removed', role)
  return role
}

/** The custom roles of the user's company. */
const roleScope = (actor: Actor) => eq(roles.companyId, actor.companyId)

/** Nobody can grant, revoke or change permissions that they do not have. */
export function requireGrantablePermissions(actor: Actor, rights: readonly Permission[], limited = false) {
  const effective = narrowPermissions(rights, { limited, site: actor.keepsSite })
  if (effective.some((permission) => !actor.permissions.includes(permission)))
    throw new AppError('forbidden', {
      message: 'Ces droits dépassent les vôtres\u00a0: un administrateur peut le faire.',
    })
}
