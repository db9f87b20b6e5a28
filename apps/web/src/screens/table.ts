import { administration } from './administration.ts'
import { data } from './data.ts'
import { management } from './management.ts'
import { operations } from './operations.ts'
import { portal } from './portal.ts'
import { everybody } from './public.ts'
import type { Screen } from './types.ts'

/** Every screen of the product; sidebars and palette keep this order. */
export const screens: readonly Screen[] = [
  ...everybody,
  ...operations,
  ...data,
  ...management,
  ...administration,
  ...portal,
]

/** The table as this installation shows it. */
export const screensFor = (development: boolean): readonly Screen[] => screens.filter((row) => development || !row.dev)

/** The same without the desks of the site, for those who do not keep it. */
export const screensOf = (table: readonly Screen[], keepsSite: boolean) => table.filter((row) => keepsSite || !row.site)
