import { type LoaderFunctionArgs, redirect } from 'react-router'
import type { Screen } from '../screens/types.ts'

/** Runs before the screen renders. Which page a visitor gets: sign-in, their own home, or the one they asked for. */
export const guard =
  ({ role, site }: Pick<Screen, 'role' | 'site'>) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    if (role === 'public') return null
    const { sessionReady } = await import('./session.ts')
    const { user } = await sessionReady()
    const { pathname, search } = new URL(request.url)
    if (!user) throw redirect(`/login?redirect=${encodeURIComponent(pathname + search)}`)
    if (role === 'admin' && !user.isAdmin) throw redirect('/client-portal')
    if (role === 'client' && user.isAdmin) throw redirect('/dashboard')
    if (site && !user.keepsSite) throw redirect('/dashboard')
    if (params.companyId && params.companyId !== String(user.companyId)) {
      const { openCompany } = await import('./company.ts')
      await openCompany(user, params.companyId)
    }
    return null
  }
