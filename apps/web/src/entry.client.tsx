import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  matchPath,
  matchRoutes,
  type PatchRoutesOnNavigationFunction,
  RouterProvider,
} from 'react-router'
import { createRoutes, ROOT } from './app/routes.tsx'
import { getPageSettings } from './lib/settings.ts'
import { paths } from './site/paths.ts'

const isSameOrUnder = (base: string, path: string) => path === base || path.startsWith(`${base}/`)

/** The screens of a space come when one of them is asked for; they are known from then on. */
const patchScreenRoutes: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  if (paths.some((page) => matchPath(page, path))) return
  const development = getPageSettings().development === 'true'
  const {
    OFFICE,
    PORTAL,
    buildProductRoutes: productRoutes,
    buildScreenRoutes: routesOf,
  } = await import('./app/product.tsx')
  patch(ROOT, productRoutes(development))
  if (isSameOrUnder('/client-portal', path)) {
    const { portalScreens: portal } = await import('./app/screens/portal.ts')
    return patch(PORTAL, routesOf(portal, 'client', development))
  }
  if (path === '/login') return
  const { screens } = await import('./app/screens/table.ts')
  patch(OFFICE, routesOf(screens, 'admin', development))
}

const root = document.getElementById('root')
if (!root) throw new Error('no root element')

const routes = createRoutes()
const rendered = root.dataset.rendered === 'true'

/** A page that came rendered must find its lazy module loaded, or React would draw it a second time. */
const loadMatchedRoutes = () =>
  Promise.all(
    (matchRoutes(routes, location) ?? []).map(async ({ route }) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
  )

const readLoaderData = () => JSON.parse(document.getElementById('loader-data')?.textContent ?? '{}')

/** A page that came rendered can already be read: waking it up is done in small parts, between which it scrolls. */
const yieldToBrowser = () => new Promise((resolve) => setTimeout(resolve))

async function startRouter(element: HTMLElement) {
  if (rendered) {
    await yieldToBrowser()
    await loadMatchedRoutes()
    await yieldToBrowser()
  }
  const router = createBrowserRouter(routes, {
    patchRoutesOnNavigation: patchScreenRoutes,
    ...(rendered && { hydrationData: { loaderData: readLoaderData() } }),
  })
  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  )
  if (rendered) startTransition(() => void hydrateRoot(element, app))
  else createRoot(element).render(app)
}

void startRouter(root)
