import { hasPermission, type Permission, type PermissionHolder } from './permissions.ts'

/** The parts of the portal's first screen that a company may hide or move; the month itself stands first, always. */
export const PORTAL_BLOCKS = ['chart', 'news', 'hours', 'invoice', 'messages', 'contact'] as const

/**
 * Who may call an endpoint. There is no default: an endpoint without access does not type-check. `signed-in` is open to
 * every signed-in person, for their own data. With both `permission` and `portal`, the back office needs the permission
 * and the portal is open to clients, who see only their own data; with `token`, a client's program may call it too,
 * with a token that has this right.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | { permission: Permission; portal?: true; token?: true }
  | { portal: true; permission?: undefined; token?: undefined }

export const grantsAccess = (access: Access, who: PermissionHolder & { kind: 'person' | 'key' | 'job' }): boolean => {
  if (access === 'public') return true
  if (access === 'signed-in') return who.kind === 'person'
  if (who.space === 'portal' && who.kind === 'key')
    return access.token === true && who.permissions.includes(access.permission)
  if (who.space === 'portal') return access.portal === true
  return access.permission !== undefined && hasPermission(who, access.permission)
}
