import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Outlet, useMatches, useNavigate } from 'react-router'
import { LogoutOverlay, useLogoutOverlay } from '../features/auth/logout-overlay.tsx'
import { watchSession } from '../lib/activity.ts'
import { getSpaceOfRole } from '../lib/admission.ts'
import { setNavigator } from '../lib/go.ts'
import { queryClient } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { handleSessionRefusals } from '../lib/session-refusal.ts'
import type { Screen } from '../screens/types.ts'
import { ImpactDialogHost } from '../ui/effects/host.tsx'
import { type LoadFailure, lazy } from '../ui/lazy.tsx'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { AccountRequirementGuard } from './duty.tsx'
import { preloadWhiteLabel, useWhiteLabel } from './use-white-label.ts'

const RETRY_MS = 5000
function LoadRetry({ retry }: LoadFailure) {
  useEffect(() => {
    const timer = setInterval(retry, RETRY_MS)
    return () => clearInterval(timer)
  }, [retry])
  return null
}

/** What is said before it has come is shown when it has. */
const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }), LoadRetry)

preloadWhiteLabel()

/** The space of the screen that is shown; one that anybody may open has none. */
function useScreenSpace() {
  const handle = useMatches().at(-1)?.handle as { role?: Screen['role'] } | undefined // what the routes of the product say
  return handle?.role && handle.role !== 'public' ? getSpaceOfRole(handle.role) : undefined
}

/** What happens outside of components goes through the same router. */
function useNavigatorSetup() {
  const navigate = useNavigate()
  useEffect(() => {
    setNavigator(navigate)
    return () => setNavigator(undefined)
  }, [navigate])
}

function useSessionWatch() {
  useEffect(watchSession, [])
  useEffect(handleSessionRefusals, [])
}

/** Around every screen that is not a page of the site. A screen never shows to somebody who is not in its space, not even while they leave or change. */
export function SignedInShell({ children = <Outlet /> }: { children?: ReactNode }) {
  const { user } = useSession()
  const space = useScreenSpace()
  const leaving = useLogoutOverlay().state !== 'idle'
  useNavigatorSetup()
  useSessionWatch()
  useWhiteLabel(user?.companyId, user?.companyName)
  return (
    <QueryClientProvider client={queryClient}>
      <div inert={leaving}>
        <AccountRequirementGuard user={user}>
          {!space || user?.space === space ? children : <FullScreenSpinner />}
        </AccountRequirementGuard>
      </div>
      <LogoutOverlay />
      <ImpactDialogHost />
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
    </QueryClientProvider>
  )
}
