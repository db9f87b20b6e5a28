import type { CurrentUser } from '@voisol/contract/auth'
import { can, type Permission } from '@voisol/contract/permissions'
import type { Screen } from '../screens/types.ts'
import { homeOf, safeRedirect } from './redirect.ts'

type Row = Pick<Screen, 'role' | 'signIn'>
type Visitor = Pick<CurrentUser, 'space'> | null

/** A link received by mail is followed whoever is signed in: it may be meant for another account. */
const fromMail = ({ searchParams }: URL) => ['invitation', 'reset', 'verify'].some((name) => searchParams.get(name))

/** Where a row belongs: the back office is the administrators’, the portal the clients’. */
export const spaceOf = (role: Screen['role']) => (role === 'admin' ? 'office' : 'portal')

/** Null where the visitor sees the screen, otherwise the address that is theirs. */
export function sentTo({ role, signIn }: Row, who: Visitor, asked: URL): string | null {
  if (signIn && who && !fromMail(asked))
    return safeRedirect(asked.searchParams.get('redirect'), asked.origin) ?? homeOf(who)
  if (role === 'public') return null
  if (!who) return `/login?redirect=${encodeURIComponent(asked.pathname + asked.search)}`
  return spaceOf(role) === who.space ? null : homeOf(who)
}

/** The first right of the row that somebody lacks. They stay where they are and are told: it is no other address. */
export const missingFor = (
  { permission, also = [] }: Pick<Screen, 'permission' | 'also'>,
  who: Pick<CurrentUser, 'space' | 'permissions'>,
): Permission | undefined => [...(permission ? [permission] : []), ...also].find((right) => !can(who, right))
