import type { CurrentUser } from '@voisol/contract/auth'
import { missingFor, spaceOf } from '../lib/admission.ts'
import { administration } from './administration.ts'
import { data } from './data.ts'
import { management } from './management.ts'
import { money } from './money.ts'
import { operations } from './operations.ts'
import { portal } from './portal.ts'
import { everybody } from './public.ts'
import type { Screen } from './types.ts'

/** Every screen of the product; sidebars and palette keep this order. */
export const screens: readonly Screen[] = [
  ...everybody,
  ...operations,
  ...data,
  ...money,
  ...management,
  ...administration,
  ...portal,
]

/** The table as this installation shows it. */
export const screensFor = (development: boolean): readonly Screen[] => screens.filter((row) => development || !row.dev)

/** The rows that somebody may open: what menus, palette and links offer. */
export const screensOf = (table: readonly Screen[], who: Pick<CurrentUser, 'space' | 'permissions'>) =>
  table.filter((row) => (row.role === 'public' || spaceOf(row.role) === who.space) && !missingFor(row, who))
