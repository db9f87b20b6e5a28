import { narrowPermissions, type Permission, type Space } from '@voisol/contract/permissions'
import { BUILT_IN_ROLES, type BuiltInRole, ROLES } from '@voisol/contract/roles'

type TestAccess = { space: Space; permissions: Permission[] }

const buildOfficeAccess = (held: readonly Permission[], limited = false, site = true): TestAccess => ({
  space: 'office',
  permissions: narrowPermissions(held, { limited, site }),
})
const builtInAccess = Object.fromEntries(
  BUILT_IN_ROLES.map((role) => [
    role,
    { ...buildOfficeAccess(ROLES[role].permissions), space: role === 'client' ? 'portal' : 'office' },
  ]),
) as Record<BuiltInRole, TestAccess> // one for each of the names

/** Rights of a role that no company has by itself. */
export const THREE_PERMISSIONS: Permission[] = ['operations.read', 'curves.read', 'enedis.read']

/** For tests: whom the loops over screens run as. */
export const TEST_ACCESS_PROFILES: Record<string, TestAccess> = {
  ...builtInAccess,
  'an administrator without the site': buildOfficeAccess(ROLES.admin.permissions, false, false),
  'a role with three rights': buildOfficeAccess(THREE_PERMISSIONS),
  'a manager limited to one operation': buildOfficeAccess(ROLES.manager.permissions, true),
}
