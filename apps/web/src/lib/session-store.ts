import type { CurrentUser } from '@voisol/contract/auth'
import { createStore } from './store.ts'

export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'anonymous'; user: null }
  | { status: 'authenticated'; user: CurrentUser }

/** Who is signed in: apart from what opens and ends sessions, because whatever asks what may be done reads it. */
export const sessionStore = createStore<SessionState>({ status: 'loading', user: null })
