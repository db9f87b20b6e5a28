import type { RouteObject } from 'react-router'
import { loaded } from './shells/loaded.tsx'
import { NotReached } from './shells/not-reached.tsx'
import { Root } from './shells/root.tsx'
import { pageData } from './site/page-data.ts'
import { type Page, pages } from './site/pages.ts'
import type { PagePath } from './site/paths.ts'
import { FullScreenSpinner } from './ui/spinner.tsx'

/** Under it stand the pages of the site, and the screens of the product once somebody asks for one (product.tsx). */
export const ROOT = 'root'

type Descriptions = Record<PagePath, string> | undefined
const routeOf =
  (descriptions: Descriptions) =>
  ({ path, page, data, title, meta, noIndex, canonical }: Page): RouteObject => ({
    path,
    handle: { title, description: descriptions?.[path], meta, noIndex, canonical, site: true },
    ...(data && { loader: pageData(data) }),
    lazy: loaded(async () => ({ Component: (await page()).default })),
  })

/** The site is rendered on the server; everything else starts in the browser, behind the guard. */
export const createRoutes = (descriptions?: Record<PagePath, string>): RouteObject[] => [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: NotReached,
    HydrateFallback: FullScreenSpinner,
    children: [
      {
        lazy: loaded(async () => ({ Component: (await import('./shells/site.tsx')).SiteShell })),
        children: pages.filter(({ bare }) => !bare).map(routeOf(descriptions)),
      },
      ...pages.filter(({ bare }) => bare).map(routeOf(descriptions)),
      {
        path: '*',
        handle: { title: 'Page introuvable', notFound: true },
        lazy: () => import('./shells/lost.tsx'),
      },
    ],
  },
]
