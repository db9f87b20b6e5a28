import type { CurrentUser } from '@voisol/contract/auth'
import { findMissingPermission, getSpaceOfRole } from '../../lib/admission.ts'
import { administrationScreens } from './administration.ts'
import { dataScreens } from './data.ts'
import { managementScreens } from './management.ts'
import { moneyScreens } from './money.ts'
import { operationScreens } from './operations.ts'
import { portalScreens } from './portal.ts'
import { publicScreens } from './public.ts'
import type { Screen } from './types.ts'

/** Every screen of the product; sidebars and palette keep this order. */
export const screens: readonly Screen[] = [
  ...publicScreens,
  ...operationScreens,
  ...dataScreens,
  ...moneyScreens,
  ...managementScreens,
  ...administrationScreens,
  ...portalScreens,
]

/** The table as this installation shows it. */
export const getScreens = (development: boolean): readonly Screen[] => screens.filter((row) => development || !row.dev)

/** The rows that somebody may open: what menus, palette and links offer. */
export const filterAllowedScreens = (table: readonly Screen[], user: Pick<CurrentUser, 'space' | 'permissions'>) =>
  table.filter(
    (row) => (row.role === 'public' || getSpaceOfRole(row.role) === user.space) && !findMissingPermission(row, user),
  )
