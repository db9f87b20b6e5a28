import type { RouteObject } from 'react-router'
import { guard } from './lib/guard.ts'
import { screensFor } from './screens/table.ts'
import type { Screen } from './screens/types.ts'
import { loaded } from './shells/loaded.tsx'
import { ScreenError } from './shells/screen-error.tsx'

/** What tells a right apart comes with the first screen that needs one. */
async function screenOf(row: Screen) {
  if (!row.permission) return { Component: (await row.screen()).default }
  const [shown, { gated }] = await Promise.all([row.screen(), import('./shells/gate.tsx')])
  return { Component: gated(row, shown.default) }
}

const screenRoute = (row: Screen): RouteObject => ({
  path: row.path,
  handle: { title: row.title },
  loader: guard(row),
  ErrorBoundary: ScreenError,
  lazy: loaded(() => screenOf(row)),
})

/** Every screen behind the guard. They come with the first one that is asked for: a page of the site knows none of them. */
export function productRoutes(development: boolean): RouteObject[] {
  const of = (role: Screen['role']) =>
    screensFor(development)
      .filter((row) => row.role === role)
      .map(screenRoute)
  return [
    {
      lazy: loaded(async () => ({ Component: (await import('./shells/signed-in.tsx')).SignedIn })),
      children: [
        ...of('public'),
        {
          lazy: loaded(async () => ({ Component: (await import('./shells/admin.tsx')).AdminShell })),
          children: of('admin'),
        },
        {
          lazy: loaded(async () => ({ Component: (await import('./shells/portal.tsx')).PortalShell })),
          children: of('client'),
        },
      ],
    },
  ]
}
