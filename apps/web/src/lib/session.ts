import { auth, type Credentials, type CurrentUser, type Registration } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { useEffect, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { buildIdempotencyHeader, call, isTokenRejected } from './call.ts'
import { forgetScreenNames } from './object-names.ts'
import { queryClient } from './queries.ts'
import { forgetVisits } from './recent-visits.ts'
import { goTo } from './redirect.ts'
import {
  closeSessionRecord,
  isSessionExpired,
  type LogoutReason,
  openSessionRecord,
  readSession,
} from './session-records.ts'
import { parseLoginResponse, parseRegistrationResponse, type SignedInAnswer } from './sign-in-answer.ts'
import {
  FORCE_LOGOUT,
  getImpersonationId,
  LAST_FIGURES,
  RENEWED_TOKEN,
  readStorage,
  removeDrafts,
  removeFromStorage,
  removeTokens,
  setImpersonationId,
  storeTokens,
  TOKEN,
  writeStorage,
  writeTokenCookie,
} from './storage.ts'
import { type SessionState, sessionStore } from './stores.ts'

const ANONYMOUS_STATE: SessionState = { status: 'anonymous', user: null }
const REDIRECT_MS = 100
const TIMEOUT_MS = 30_000

/** The token that this tab signed in with or follows: another tab may put a newer one in the storage. */
let ownToken: string | null = null

function setSession(token: string, user: CurrentUser, fresh: boolean) {
  ownToken = token
  writeTokenCookie(token)
  openSessionRecord(user.id, { fresh })
  sessionStore.set({ status: 'authenticated', user })
}

async function restoreSession() {
  const last = readSession()
  if (readStorage(FORCE_LOGOUT) !== null) {
    // What a logout cut short left behind would open the session again at the next start.
    removeTokens()
    if (last) closeSessionRecord(last.userId, 'forced')
    removeFromStorage(FORCE_LOGOUT)
  } else if (last && isSessionExpired(last)) {
    closeSessionRecord(last.userId, 'inactivity')
    removeTokens()
  }
  const token = readStorage(TOKEN)
  if (!token || token === 'dev-token') return sessionStore.set(ANONYMOUS_STATE)
  try {
    const user = await call(auth.me, {})
    // What was over may have been renewed on the way.
    setSession(readStorage(TOKEN) ?? token, user, false)
  } catch {
    // A look at a portal that is over ends nothing but itself.
    if (getImpersonationId()) {
      setImpersonationId(null)
      return location.replace('/participant-portal')
    }
    removeTokens()
    sessionStore.set(ANONYMOUS_STATE)
  }
}

let restoration: Promise<void> | undefined
/** Who is signed in, once that is known. */
export async function waitForSession(): Promise<SessionState> {
  restoration ??= restoreSession()
  await restoration
  return sessionStore.read()
}

export function useSession(): SessionState {
  useEffect(() => void waitForSession(), [])
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.read, sessionStore.read)
}

/** For what only shows to a signed-in person: shells and the screens in them. */
export function useUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('nobody is signed in')
  return user
}

const postJson = (e: Endpoint, body: unknown) =>
  fetch(e.path, {
    method: e.method,
    credentials: 'include',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...buildIdempotencyHeader(e) },
    body: JSON.stringify(body),
  })

/** Takes the session a call has opened: sign-in, registration, accepted invitation. */
export function startSession({ token, refreshToken, user }: SignedInAnswer): CurrentUser {
  queryClient.clear()
  removeFromStorage(FORCE_LOGOUT)
  removeFromStorage(LAST_FIGURES)
  storeTokens(token, refreshToken, 'signed-in')
  setSession(token, user, true)
  return user
}

export const login = async (credentials: z.input<typeof Credentials>) =>
  startSession(await parseLoginResponse(await postJson(auth.login, credentials)))
export const register = async (fields: z.input<typeof Registration>) =>
  startSession(await parseRegistrationResponse(await postJson(auth.register, fields)))

export const setUser = (user: CurrentUser) => sessionStore.set({ status: 'authenticated', user })
export async function refreshUser(): Promise<CurrentUser> {
  const user = await call(auth.me, {})
  setUser(user)
  return user
}

function forgetSession() {
  ownToken = null
  removeFromStorage(LAST_FIGURES)
  removeDrafts()
  forgetScreenNames()
  forgetVisits()
  queryClient.clear()
  sessionStore.set(ANONYMOUS_STATE)
}
const redirectLater = (to: string | null) => {
  if (to) setTimeout(() => void goTo(to), REDIRECT_MS)
}

/** JSON content type without a body and without the bearer: the cookie says which session ends. */
const notifyLogout = () =>
  fetch(auth.logout.path, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...buildIdempotencyHeader(auth.logout) },
  }).then(
    (response) => response.ok || console.warn(`logout: ${response.status}`),
    (error) => console.warn('logout', error),
  )

/** Local first, so that nothing the server does keeps a person signed in here. `to` null: the caller redirects. */
export async function logout(reason: LogoutReason = 'user', to: string | null = '/login') {
  try {
    const { user } = sessionStore.read()
    writeStorage(FORCE_LOGOUT, 'true')
    if (user) closeSessionRecord(user.id, reason)
    setImpersonationId(null)
    forgetSession()
    await notifyLogout()
    removeTokens()
  } catch (error) {
    console.error(error)
  }
  redirectLater(to)
}

/** The server no longer knows this session: nothing to tell it. */
export function endSession(to = '/login') {
  const { user } = sessionStore.read()
  if (!user) return
  closeSessionRecord(user.id, 'refused')
  forgetSession()
  removeTokens()
  redirectLater(to)
}

/** Another tab has signed out. If someone has signed in again meanwhile, their token is not ours to remove. */
export function endWithOtherTab() {
  if (!sessionStore.read().user) return
  const current = readStorage(TOKEN)
  if (current === null || current === ownToken || current === readStorage(RENEWED_TOKEN)) removeTokens()
  forgetSession()
  redirectLater('/login')
}

/** Another tab has signed in: this one follows rather than call with one person's token in another's name. */
export async function followOtherTab(token: string) {
  if (token === ownToken || token === 'dev-token') return
  // The same person goes on under another token: there is nothing to ask again.
  if (ownToken && token === readStorage(RENEWED_TOKEN)) {
    ownToken = token
    return
  }
  queryClient.clear()
  try {
    const user = await call(auth.me, {})
    setSession(readStorage(TOKEN) ?? token, user, false)
  } catch (error) {
    // A page that is being left hears nothing: that is no word about the session, which the other tabs still have.
    if (isTokenRejected(error)) return endSession()
    forgetSession()
    redirectLater('/login')
  }
}
