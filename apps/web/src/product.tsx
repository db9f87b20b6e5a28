import type { RouteObject } from 'react-router'
import { guard } from './lib/guard.ts'
import { everybody } from './screens/public.ts'
import type { Screen } from './screens/types.ts'
import { loaded } from './shells/loaded.tsx'
import { ScreenError } from './shells/screen-error.tsx'

export const [OFFICE, PORTAL] = ['office', 'portal']

/** What tells a right apart comes with the first screen that needs one. */
async function screenOf(row: Screen) {
  if (!row.permission) return { Component: (await row.screen()).default }
  const [shown, { gated }] = await Promise.all([row.screen(), import('./shells/gate.tsx')])
  return { Component: gated(row, shown.default) }
}

const screenRoute = (row: Screen): RouteObject => ({
  path: row.path,
  handle: { title: row.title, role: row.role },
  loader: guard(row),
  ErrorBoundary: ScreenError,
  lazy: loaded(() => screenOf(row)),
})

/** The rows of a role, as this installation shows them. */
export const routesOf = (rows: readonly Screen[], role: Screen['role'], development: boolean) =>
  rows.filter((row) => row.role === role && (development || !row.dev)).map(screenRoute)

/** What stands around the screens behind the guard, and those for everybody; the others come with the first of their space. */
export const productRoutes = (development: boolean): RouteObject[] => [
  {
    id: 'signed-in',
    lazy: loaded(async () => ({ Component: (await import('./shells/signed-in.tsx')).SignedIn })),
    children: [
      ...routesOf(everybody, 'public', development),
      {
        id: OFFICE,
        lazy: loaded(async () => ({ Component: (await import('./shells/admin.tsx')).AdminShell })),
        children: [],
      },
      {
        id: PORTAL,
        lazy: loaded(async () => ({ Component: (await import('./shells/portal.tsx')).PortalShell })),
        children: [],
      },
    ],
  },
]
