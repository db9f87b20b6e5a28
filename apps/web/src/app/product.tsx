import { type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { getRedirectTarget } from '../lib/admission.ts'
import { publicScreens } from './screens/public.ts'
import type { Screen } from './screens/types.ts'
import { withLoadFallback } from './shells/load-error.tsx'
import { ScreenError } from './shells/screen-error.tsx'

export const [OFFICE, PORTAL] = ['office', 'portal']

/** What tells a right apart comes with the first screen that needs one. */
async function loadScreenModule(row: Screen) {
  if (!row.permission) return { Component: (await row.screen()).default }
  const [shown, { withPermissionCheck: gated }] = await Promise.all([
    row.screen(),
    import('./shells/permission-check.tsx'),
  ])
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

/** Runs before the screen renders. Which page a visitor gets: sign-in, their own home, or the one they asked for. */
const createGuardLoader =
  (row: Pick<Screen, 'role' | 'signIn'>) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    if (row.role === 'public' && !row.signIn) return null
    const { waitForSession: sessionReady } = await import('../lib/session.ts')
    const { user } = await sessionReady()
    const requestedUrl = new URL(request.url)
    const redirectTarget = getRedirectTarget(row, user, requestedUrl)
    if (redirectTarget !== null) throw redirect(redirectTarget)
    if (user && params.companyId && params.companyId !== String(user.companyId)) {
      const { switchSessionCompany: openCompany } = await import('../lib/session-place.ts')
      // Whoever manages one company may be a client of the other.
      const redirectInCompany = getRedirectTarget(row, await openCompany(user, params.companyId), requestedUrl)
      if (redirectInCompany !== null) throw redirect(redirectInCompany)
    }
    return null
  }
