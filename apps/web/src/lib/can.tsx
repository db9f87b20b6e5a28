import { grantsAccess } from '@voisol/contract/access'
import type { CurrentUser } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { hasPermission, type Permission } from '@voisol/contract/permissions'
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { sessionStore } from './stores.ts'

/** A call to be made, or a right by its name. */
export type AccessTarget = Endpoint | Permission
type AccessHolder = Pick<CurrentUser, 'space' | 'permissions'> | null

/** The question that the server will ask again; nobody signed in may only what is public. */
export function isAccessAllowed(who: AccessHolder, wanted: AccessTarget): boolean {
  if (typeof wanted === 'string') return who !== null && hasPermission(who, wanted)
  return who ? grantsAccess(wanted.access, { ...who, kind: 'person' }) : wanted.access === 'public'
}

export function useCan(): (wanted: AccessTarget) => boolean {
  const { user } = useSyncExternalStore(sessionStore.subscribe, sessionStore.read, sessionStore.read)
  return (wanted) => isAccessAllowed(user, wanted)
}

type CanProps = { call: AccessTarget; children: ReactNode; otherwise?: ReactNode }
/** What is inside shows to those who may make the call; to the others what is said instead, or nothing. */
export const Can = ({ call, children, otherwise = null }: CanProps) => (useCan()(call) ? children : otherwise)

/** A part of a screen that is only there for those who may make the call. */
export function withAccess<P extends object>(call: AccessTarget, Shown: ComponentType<P>) {
  return function Only(props: P) {
    return useCan()(call) ? <Shown {...props} /> : null
  }
}

/** A form or a button that its reader may not use is a fault of the screen: the browser tests listen for it. */
export function useReportForbiddenCall(e: Endpoint) {
  useEffect(() => {
    const { user } = sessionStore.read()
    if (user && !isAccessAllowed(user, e))
      console.error(`${e.method} ${e.path} is offered to somebody who may not call it`)
  }, [e])
}
