import { type LoaderFunctionArgs, redirect } from 'react-router'
import type { Screen } from '../screens/types.ts'
import { sentTo } from './admission.ts'

/** Runs before the screen renders. Which page a visitor gets: sign-in, their own home, or the one they asked for. */
export const guard =
  (row: Pick<Screen, 'role' | 'signIn'>) =>
  async ({ request, params }: LoaderFunctionArgs) => {
    if (row.role === 'public' && !row.signIn) return null
    const { sessionReady } = await import('./session.ts')
    const { user } = await sessionReady()
    const asked = new URL(request.url)
    const address = sentTo(row, user, asked)
    if (address !== null) throw redirect(address)
    if (user && params.companyId && params.companyId !== String(user.companyId)) {
      const { openCompany } = await import('./place.ts')
      // Whoever manages one company may be a client of the other.
      const there = sentTo(row, await openCompany(user, params.companyId), asked)
      if (there !== null) throw redirect(there)
    }
    return null
  }
