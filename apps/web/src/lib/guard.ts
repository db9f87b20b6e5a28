import { type LoaderFunctionArgs, redirect } from 'react-router'
import type { Screen } from '../screens/types.ts'
import { getRedirectTarget } from './admission.ts'

/** Runs before the screen renders. Which page a visitor gets: sign-in, their own home, or the one they asked for. */
export const createGuardLoader =
  (row: Pick<Screen, 'role' | 'signIn'>) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    if (row.role === 'public' && !row.signIn) return null
    const { waitForSession: sessionReady } = await import('./session.ts')
    const { user } = await sessionReady()
    const requestedUrl = new URL(request.url)
    const redirectTarget = getRedirectTarget(row, user, requestedUrl)
    if (redirectTarget !== null) throw redirect(redirectTarget)
    if (user && params.companyId && params.companyId !== String(user.companyId)) {
      const { switchSessionCompany: openCompany } = await import('./place.ts')
      // Whoever manages one company may be a client of the other.
      const redirectInCompany = getRedirectTarget(row, await openCompany(user, params.companyId), requestedUrl)
      if (redirectInCompany !== null) throw redirect(redirectInCompany)
    }
    return null
  }
