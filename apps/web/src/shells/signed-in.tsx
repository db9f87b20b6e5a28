import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { matchPath, Outlet, useLocation, useNavigate } from 'react-router'
import { LogoutOverlay, useOverlay } from '../features/auth/logout-overlay.tsx'
import { watchSession } from '../lib/activity.ts'
import { setNavigator } from '../lib/go.ts'
import { queryClient } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { watchRefusals } from '../lib/session-refusal.ts'
import { screens } from '../screens/table.ts'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { prepareWhiteLabel, useWhiteLabel } from './use-white-label.ts'

/** What is said before it has come is shown when it has. */
const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))

prepareWhiteLabel()

const needsUser = (pathname: string) => screens.some(({ path, role }) => role !== 'public' && matchPath(path, pathname))

/** What happens outside of components goes through the same router. */
function useNavigator() {
  const navigate = useNavigate()
  useEffect(() => {
    setNavigator(navigate)
    return () => setNavigator(undefined)
  }, [navigate])
}

function useWatch() {
  useEffect(watchSession, [])
  useEffect(watchRefusals, [])
}

/** Around every screen that is not a page of the site. A screen that needs a person never shows without one, not even while they leave. */
export function SignedIn() {
  const { user } = useSession()
  const { pathname } = useLocation()
  const leaving = useOverlay().state !== 'idle'
  useNavigator()
  useWatch()
  useWhiteLabel(user?.companyId)
  return (
    <QueryClientProvider client={queryClient}>
      <div inert={leaving}>{user || !needsUser(pathname) ? <Outlet /> : <FullScreenSpinner />}</div>
      <LogoutOverlay />
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
    </QueryClientProvider>
  )
}
