import type { RouteObject } from 'react-router'
import { FullScreenSpinner } from '../components/loading.tsx'
import { createPageLoader, type Page, pages } from '../site/pages.ts'
import type { PagePath } from '../site/paths.ts'
import { LoadErrorPage, withLoadFallback } from './shells/load-error.tsx'
import { Root } from './shells/root.tsx'

/** Under it stand the pages of the site, and the screens of the product once somebody asks for one (product.tsx). */
export const ROOT = 'root'

type Descriptions = Record<PagePath, string> | undefined
const toPageRoute =
  (descriptions: Descriptions) =>
  ({ path, page, data, title, meta, noIndex, canonical }: Page): RouteObject => ({
    path,
    handle: { title, description: descriptions?.[path], meta, noIndex, canonical, site: true },
    ...(data && { loader: createPageLoader(data) }),
    lazy: withLoadFallback(async () => ({ Component: (await page()).default })),
  })

/** The site is rendered on the server; everything else starts in the browser, behind the guard. */
export const createRoutes = (descriptions?: Record<PagePath, string>): RouteObject[] => [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: LoadErrorPage,
    HydrateFallback: FullScreenSpinner,
    children: [
      {
        lazy: withLoadFallback(async () => ({ Component: (await import('./shells/site.tsx')).SiteShell })),
        children: pages.filter(({ bare }) => !bare).map(toPageRoute(descriptions)),
      },
      ...pages.filter(({ bare }) => bare).map(toPageRoute(descriptions)),
      {
        path: '*',
        handle: { title: 'Page introuvable', notFound: true },
        lazy: () => import('./shells/not-found.tsx'),
      },
    ],
  },
]
