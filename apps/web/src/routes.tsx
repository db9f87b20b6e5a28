import type { RouteObject } from 'react-router'
import { guard } from './lib/guard.ts'
import { screensFor } from './screens/table.ts'
import type { Screen } from './screens/types.ts'
import { loaded } from './shells/loaded.tsx'
import { Root } from './shells/root.tsx'
import { ScreenError } from './shells/screen-error.tsx'
import { pageData } from './site/page-data.ts'
import { pages } from './site/pages.ts'
import type { PagePath } from './site/paths.ts'
import { FullScreenSpinner } from './ui/spinner.tsx'

/** What tells a right apart comes with the first screen that needs one, not with the site. */
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
/** The site is rendered on the server; everything else starts in the browser, behind the guard. */
export function createRoutes(development: boolean, descriptions?: Record<PagePath, string>): RouteObject[] {
  const of = (role: Screen['role']) =>
    screensFor(development)
      .filter((row) => row.role === role)
      .map(screenRoute)
  return [
    {
      Component: Root,
      HydrateFallback: FullScreenSpinner,
      children: [
        {
          lazy: loaded(async () => ({ Component: (await import('./shells/site.tsx')).SiteShell })),
          children: [
            ...pages.map(
              ({ path, page, data, title, meta, noIndex, canonical }): RouteObject => ({
                path,
                handle: { title, description: descriptions?.[path], meta, noIndex, canonical, site: true },
                ...(data && { loader: pageData(data) }),
                lazy: loaded(async () => ({ Component: (await page()).default })),
              }),
            ),
          ],
        },
        {
          path: '*',
          handle: { title: 'Page introuvable', notFound: true },
          lazy: () => import('./shells/lost.tsx'),
        },
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
      ],
    },
  ]
}
