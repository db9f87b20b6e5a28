import { QueryClientProvider } from '@tanstack/react-query'
import type { AccountRequirement, CurrentUser } from '@voisol/contract/auth'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Outlet, useMatches, useNavigate } from 'react-router'
import { ImpactDialogHost } from '../../components/effects/impact-host.tsx'
import { type LoadFailure, lazy } from '../../components/lazy.tsx'
import { FullScreenSpinner } from '../../components/loading.tsx'
import { LogoutOverlay, useLogoutOverlay } from '../../features/identity/auth/logout-overlay.tsx'
import { watchSession } from '../../lib/activity.ts'
import { getSpaceOfRole } from '../../lib/admission.ts'
import { queryClient } from '../../lib/queries.ts'
import { setNavigator } from '../../lib/redirect.ts'
import { useSession } from '../../lib/session.ts'
import { handleSessionRefusals } from '../../lib/session-refusal.ts'
import { getPageSettings } from '../../lib/settings.ts'
import type { Screen } from '../screens/types.ts'

const importWhiteLabel = () => import('../../lib/white-label.ts')
/** Asked for beside the session, so that it is there once the person is known. */
const preloadWhiteLabel = () => void importWhiteLabel().catch(() => undefined)

/** Called by another name than the installation's own, which may be a company's. */
const isOwnHost = () => {
  const { home } = getPageSettings()
  return home !== undefined && home !== location.hostname
}

/** Without a known company nothing is asked and the product keeps its own look, but at the host of a company. */
function useWhiteLabel(id: number | undefined, name = '') {
  useEffect(() => {
    if (id === undefined && !isOwnHost()) return
    const abortController = new AbortController()
    const shown = importWhiteLabel().then(({ showWhiteLabel, showHostWhiteLabel: showHostLabel }) =>
      id === undefined ? showHostLabel(abortController.signal) : showWhiteLabel({ id, name }, abortController.signal),
    )
    shown.catch((error: unknown) => console.warn('white label', error))
    return () => abortController.abort()
  }, [id, name])
}

const RETRY_MS = 5000
function LoadRetry({ retry }: LoadFailure) {
  useEffect(() => {
    const timer = setInterval(retry, RETRY_MS)
    return () => clearInterval(timer)
  }, [retry])
  return null
}

/** What is said before it has come is shown when it has. */
const Toaster = lazy(async () => ({ default: (await import('../../components/toaster.tsx')).Toaster }), LoadRetry)

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

const AccountRequirementPage = lazy(async () => ({
  default: (await import('../screens/account-requirement-page.tsx')).AccountRequirementPage,
}))

/** Stands before every screen while the account must first be secured, and until the person has read what that gave. */
function AccountRequirementGuard({ user, children }: { user: CurrentUser | null; children: ReactNode }) {
  const [shown, setShown] = useState<{ duty: AccountRequirement; userId: string } | null>(null)
  if (user?.duty && (shown?.duty !== user.duty || shown.userId !== user.id))
    setShown({ duty: user.duty, userId: user.id })
  if (!user || shown?.userId !== user.id) return children
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <AccountRequirementPage duty={shown.duty} user={user} onDone={() => setShown(null)} />
    </Suspense>
  )
}
