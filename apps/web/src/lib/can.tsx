import { allows } from '@voisol/contract/access'
import type { CurrentUser } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { can, type Permission } from '@voisol/contract/permissions'
import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { sessionStore } from './session-store.ts'

/** A call to be made, or a right by its name. */
export type Wanted = Endpoint | Permission
type Who = Pick<CurrentUser, 'space' | 'permissions'> | null

/** The question that the server will ask again; nobody signed in may only what is public. */
export function may(who: Who, wanted: Wanted): boolean {
  if (typeof wanted === 'string') return who !== null && can(who, wanted)
  return who ? allows(wanted.access, { ...who, kind: 'person' }) : wanted.access === 'public'
}

export function useCan(): (wanted: Wanted) => boolean {
  const { user } = useSyncExternalStore(sessionStore.subscribe, sessionStore.read, sessionStore.read)
  return (wanted) => may(user, wanted)
}

type CanProps = { call: Wanted; children: ReactNode; otherwise?: ReactNode }
/** What is inside shows to those who may make the call; to the others what is said instead, or nothing. */
export const Can = ({ call, children, otherwise = null }: CanProps) => (useCan()(call) ? children : otherwise)

/** A part of a screen that is only there for those who may make the call. */
export function only<P extends object>(call: Wanted, Shown: ComponentType<P>) {
  return function Only(props: P) {
    return useCan()(call) ? <Shown {...props} /> : null
  }
}

/** A form or a button that its reader may not use is a fault of the screen: the browser tests listen for it. */
export function useExpectAllowed(e: Endpoint) {
  useEffect(() => {
    const { user } = sessionStore.read()
    if (user && !may(user, e)) console.error(`${e.method} ${e.path} is offered to somebody who may not call it`)
  }, [e])
}
