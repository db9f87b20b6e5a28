import { Suspense } from 'react'
import { lazy } from '../../components/lazy.tsx'
import { FullScreenSpinner } from '../../components/loading.tsx'
import { useSession } from '../../lib/session.ts'
import { SiteNotFound } from '../../site/not-found.tsx'
import { SiteShell } from './site.tsx'

const NotFoundInShell = lazy(() => import('./not-found-in-shell.tsx'))

/** In the browser the session is known before anything shows; the server knows nobody. */
export async function loader() {
  if (typeof document !== 'undefined') await (await import('../../lib/session.ts')).waitForSession()
  return null
}

/** Any unknown path: whoever is signed in stays in their shell, everybody else is on the site. */
export function Component() {
  const { user } = useSession()
  if (user)
    return (
      <Suspense fallback={<FullScreenSpinner />}>
        <NotFoundInShell space={user.space} />
      </Suspense>
    )
  return (
    <SiteShell>
      <SiteNotFound />
    </SiteShell>
  )
}
