import { matchPath, type PatchRoutesOnNavigationFunction } from 'react-router'
import { getPageSettings } from './lib/settings.ts'
import { ROOT } from './routes.tsx'
import { paths } from './site/paths.ts'

const isSameOrUnder = (base: string, path: string) => path === base || path.startsWith(`${base}/`)

/** The screens of a space come when one of them is asked for; they are known from then on. */
export const patchScreenRoutes: PatchRoutesOnNavigationFunction = async ({ path, patch }) => {
  if (paths.some((page) => matchPath(page, path))) return
  const development = getPageSettings().development === 'true'
  const {
    OFFICE,
    PORTAL,
    buildProductRoutes: productRoutes,
    buildScreenRoutes: routesOf,
  } = await import('./product.tsx')
  patch(ROOT, productRoutes(development))
  if (isSameOrUnder('/client-portal', path)) {
    const { portalScreens: portal } = await import('./screens/portal.ts')
    return patch(PORTAL, routesOf(portal, 'client', development))
  }
  if (path === '/login') return
  const { screens } = await import('./screens/table.ts')
  patch(OFFICE, routesOf(screens, 'admin', development))
}
