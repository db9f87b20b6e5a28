import { narrowed, type Permission, type Space } from '@voisol/contract/permissions'
import { BUILT_IN_ROLES, type BuiltInRole, ROLES } from '@voisol/contract/roles'

type Held = { space: Space; permissions: Permission[] }

const as = (held: readonly Permission[], limited = false, site = true): Held => ({
  space: 'office',
  permissions: narrowed(held, { limited, site }),
})
const builtIn = Object.fromEntries(
  BUILT_IN_ROLES.map((role) => [
    role,
    { ...as(ROLES[role].permissions), space: role === 'client' ? 'portal' : 'office' },
  ]),
) as Record<BuiltInRole, Held> // one for each of the names

/** Rights of a role that no company has by itself. */
export const THREE_RIGHTS: Permission[] = ['operations.read', 'curves.read', 'enedis.read']

/** For tests: whom the loops over screens run as. */
export const HOLDERS: Record<string, Held> = {
  ...builtIn,
  'an administrator without the site': as(ROLES.admin.permissions, false, false),
  'a role with three rights': as(THREE_RIGHTS),
  'a manager limited to one operation': as(ROLES.manager.permissions, true),
}
