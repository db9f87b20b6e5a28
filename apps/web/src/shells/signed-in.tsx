import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Outlet, useMatches, useNavigate } from 'react-router'
import { LogoutOverlay, useOverlay } from '../features/auth/logout-overlay.tsx'
import { watchSession } from '../lib/activity.ts'
import { spaceOf } from '../lib/admission.ts'
import { setNavigator } from '../lib/go.ts'
import { queryClient } from '../lib/queries.ts'
import { useSession } from '../lib/session.ts'
import { watchRefusals } from '../lib/session-refusal.ts'
import type { Screen } from '../screens/types.ts'
import { EffectsHost } from '../ui/effects/host.tsx'
import { lazy, type Missed } from '../ui/lazy.tsx'
import { FullScreenSpinner } from '../ui/spinner.tsx'
import { DutyFirst } from './duty.tsx'
import { prepareWhiteLabel, useWhiteLabel } from './use-white-label.ts'

const AGAIN_MS = 5000
function Later({ retry }: Missed) {
  useEffect(() => {
    const timer = setInterval(retry, AGAIN_MS)
    return () => clearInterval(timer)
  }, [retry])
  return null
}

/** What is said before it has come is shown when it has. */
const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }), Later)

prepareWhiteLabel()

/** The space of the screen that is shown; one that anybody may open has none. */
function useSpace() {
  const handle = useMatches().at(-1)?.handle as { role?: Screen['role'] } | undefined // what the routes of the product say
  return handle?.role && handle.role !== 'public' ? spaceOf(handle.role) : undefined
}

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

/** Around every screen that is not a page of the site. A screen never shows to somebody who is not in its space, not even while they leave or change. */
export function SignedIn({ children = <Outlet /> }: { children?: ReactNode }) {
  const { user } = useSession()
  const space = useSpace()
  const leaving = useOverlay().state !== 'idle'
  useNavigator()
  useWatch()
  useWhiteLabel(user?.companyId, user?.companyName)
  return (
    <QueryClientProvider client={queryClient}>
      <div inert={leaving}>
        <DutyFirst user={user}>{!space || user?.space === space ? children : <FullScreenSpinner />}</DutyFirst>
      </div>
      <LogoutOverlay />
      <EffectsHost />
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
    </QueryClientProvider>
  )
}
