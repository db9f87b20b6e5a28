import { PERMISSIONS, type Permission } from '@voisol/contract/permissions'

type PermissionTraits = { whole?: true; site?: true }
const getPermissionTraits = (right: Permission): PermissionTraits => PERMISSIONS[right]

/** Nobody gives what they do not hold: whether a set goes beyond one's own, as far as it would be given at all. */
export const exceedsOwnPermissions = (rights: readonly Permission[], own: readonly Permission[], limited = false) =>
  rights.some(
    (right) =>
      !own.includes(right) && !getPermissionTraits(right).site && !(limited && getPermissionTraits(right).whole),
  )

const getPermissionFeature = (right: Permission) => right.split('.')[0]
const isReadPermission = (right: Permission) => right.endsWith('.read')

/** Whoever may change something may see it; what is no longer seen is no longer changed. */
export function togglePermission(rights: readonly Permission[], right: Permission, on: boolean): Permission[] {
  const hasSameFeature = (one: Permission) => getPermissionFeature(one) === getPermissionFeature(right)
  if (!on) return rights.filter((one) => one !== right && !(isReadPermission(right) && hasSameFeature(one)))
  const read = Object.keys(PERMISSIONS).find(
    (one) => isReadPermission(one as Permission) && hasSameFeature(one as Permission),
  ) // keys of the list
  return [...new Set([...rights, ...(read ? [read as Permission] : []), right])]
}

const isSitePermission = (right: Permission) => getPermissionTraits(right).site === true

/** A set as its reader should see it: what keeps the site exists in one company alone. */
export const filterVisiblePermissions = (rights: readonly Permission[], own: readonly Permission[]) =>
  own.some(isSitePermission) ? [...rights] : rights.filter((right) => !isSitePermission(right))
