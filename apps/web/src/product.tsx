import type { RouteObject } from 'react-router'
import { createGuardLoader } from './lib/guard.ts'
import { publicScreens } from './screens/public.ts'
import type { Screen } from './screens/types.ts'
import { withLoadFallback } from './shells/loaded.tsx'
import { ScreenError } from './shells/screen-error.tsx'

export const [OFFICE, PORTAL] = ['office', 'portal']

/** What tells a right apart comes with the first screen that needs one. */
async function loadScreenModule(row: Screen) {
  if (!row.permission) return { Component: (await row.screen()).default }
  const [shown, { withPermissionCheck: gated }] = await Promise.all([row.screen(), import('./shells/gate.tsx')])
  return { Component: gated(row, shown.default) }
}

const toScreenRoute = (row: Screen): RouteObject => ({
  path: row.path,
  handle: { title: row.title, role: row.role },
  loader: createGuardLoader(row),
  ErrorBoundary: ScreenError,
  lazy: withLoadFallback(() => loadScreenModule(row)),
})

/** The rows of a role, as this installation shows them. */
export const buildScreenRoutes = (rows: readonly Screen[], role: Screen['role'], development: boolean) =>
  rows.filter((row) => row.role === role && (development || !row.dev)).map(toScreenRoute)

/** What stands around the screens behind the guard, and those for everybody; the others come with the first of their space. */
export const buildProductRoutes = (development: boolean): RouteObject[] => [
  {
    id: 'signed-in',
    lazy: withLoadFallback(async () => ({ Component: (await import('./shells/signed-in.tsx')).SignedInShell })),
    children: [
      ...buildScreenRoutes(publicScreens, 'public', development),
      {
        id: OFFICE,
        lazy: withLoadFallback(async () => ({ Component: (await import('./shells/admin.tsx')).AdminShell })),
        children: [],
      },
      {
        id: PORTAL,
        lazy: withLoadFallback(async () => ({ Component: (await import('./shells/portal.tsx')).PortalShell })),
        children: [],
      },
    ],
  },
]
