import { hasPermission, type Permission, type PermissionHolder } from './permissions.ts'

/**
 * Who may call an endpoint. There is no default: an endpoint without access does not type-check. `signed-in` is for
 * people, whatever they may do: what is their own. With both, the back office needs the permission and the portal is
 * open to clients, who see what is theirs; with `token` also to a program of theirs, by a token that opens this right.
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
