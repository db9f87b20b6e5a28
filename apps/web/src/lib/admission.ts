import type { CurrentUser } from '@voisol/contract/auth'
import type { Screen } from '../screens/types.ts'
import { homeOf, safeRedirect } from './redirect.ts'

type Row = Pick<Screen, 'role' | 'site' | 'signIn'>
type Visitor = Pick<CurrentUser, 'isAdmin' | 'keepsSite'> | null

/** A link received by mail is followed whoever is signed in: it may be meant for another account. */
const fromMail = ({ searchParams }: URL) => Boolean(searchParams.get('invitation') || searchParams.get('reset'))

/** Null where the visitor sees the screen, otherwise the address that is theirs. */
export function sentTo({ role, site, signIn }: Row, who: Visitor, asked: URL): string | null {
  if (signIn && who && !fromMail(asked))
    return safeRedirect(asked.searchParams.get('redirect'), asked.origin) ?? homeOf(who)
  if (role === 'public') return null
  if (!who) return `/login?redirect=${encodeURIComponent(asked.pathname + asked.search)}`
  const mine = role === (who.isAdmin ? 'admin' : 'client') && (!site || who.keepsSite)
  return mine ? null : homeOf(who)
}
