import type { CurrentUser } from '@voisol/contract/auth'
import { hasPermission, type Permission } from '@voisol/contract/permissions'
import type { Screen } from '../app/screens/types.ts'
import { getHomePath, toSafeRedirect } from './redirect.ts'

type ScreenAccess = Pick<Screen, 'role' | 'signIn'>
type UserWithSpace = Pick<CurrentUser, 'space'> | null

/** A link received by mail is followed whoever is signed in: it may be meant for another account. */
const isMailLink = ({ searchParams }: URL) => ['invitation', 'reset', 'verify'].some((name) => searchParams.get(name))

/** Where a row belongs: the back office is the administrators’, the portal the clients’. */
export const getSpaceOfRole = (role: Screen['role']) => (role === 'admin' ? 'office' : 'portal')

/** Null where the visitor sees the screen, otherwise the address that is theirs. */
export function getRedirectTarget(
  { role, signIn }: ScreenAccess,
  user: UserWithSpace,
  requestedUrl: URL,
): string | null {
  if (signIn && user && !isMailLink(requestedUrl))
    return toSafeRedirect(requestedUrl.searchParams.get('redirect'), requestedUrl.origin) ?? getHomePath(user)
  if (role === 'public') return null
  if (!user) return `/login?redirect=${encodeURIComponent(requestedUrl.pathname + requestedUrl.search)}`
  return getSpaceOfRole(role) === user.space ? null : getHomePath(user)
}

/** The first right of the row that somebody lacks. They stay where they are and are told: it is no other address. */
export const findMissingPermission = (
  { permission, also = [] }: Pick<Screen, 'permission' | 'also'>,
  user: Pick<CurrentUser, 'space' | 'permissions'>,
): Permission | undefined => [...(permission ? [permission] : []), ...also].find((right) => !hasPermission(user, right))
