import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router'
import { patchScreenRoutes } from './find-screens.ts'
import { createRoutes } from './routes.tsx'

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
