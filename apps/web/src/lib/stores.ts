import type { CurrentUser } from '@voisol/contract/auth'
import type { Impact } from '@voisol/contract/effects'
import type { WhiteLabel } from '@voisol/contract/white-label'
import { useSyncExternalStore } from 'react'

export type Store<T> = {
  read: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
}

/** A value that React and plain functions share; made for useSyncExternalStore. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null }
  | { status: 'authenticated'; user: CurrentUser }

/** Who is signed in: apart from what opens and ends sessions, because whatever asks what may be done reads it. */
export const sessionStore = createStore<SessionState>({ status: 'loading', user: null })

export const brandStore = createStore<WhiteLabel | null>(null)
const getServerBrand = () => null
/** The company's own look, for logos and names; null while the product has its own. */
export const useBrand = () => useSyncExternalStore(brandStore.subscribe, brandStore.read, getServerBrand)

/** What a change does, and the person who is to say whether it is made. */
export type ImpactConfirmation = { effects: Impact; action: string; settle: (agreed: boolean) => void }

export const pendingImpactConfirmation = createStore<ImpactConfirmation | null>(null)
