import { auth, type Credentials, type CurrentUser, type Registration } from '@voisol/contract/auth'
import type { Endpoint } from '@voisol/contract/endpoint'
import { useEffect, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import { call, isTokenOver, keyHeader } from './call.ts'
import { goTo } from './go.ts'
import { queryClient } from './queries.ts'
import { forgetVisits } from './recent.ts'
import { closeRecord, isExpired, type LogoutReason, openRecord, readSession } from './session-records.ts'
import { type SessionState, sessionStore } from './session-store.ts'
import { readLogin, readRegistration, type SignedInAnswer } from './sign-in-answer.ts'
import {
  FORCE_LOGOUT,
  keepTokens,
  LAST_FIGURES,
  look,
  looking,
  RENEWED,
  read,
  remove,
  removeDrafts,
  removeTokens,
  TOKEN,
  write,
  writeCookie,
} from './storage.ts'
import { forgetNames } from './subject.ts'

const ANONYMOUS: SessionState = { status: 'anonymous', user: null }
const REDIRECT_MS = 100
const TIMEOUT_MS = 30_000

/** The token that this tab signed in with or follows: another tab may put a newer one in the storage. */
let ownToken: string | null = null

function enter(token: string, user: CurrentUser, fresh: boolean) {
  ownToken = token
  writeCookie(token)
  openRecord(user.id, { fresh })
  sessionStore.set({ status: 'authenticated', user })
}

async function start() {
  const last = readSession()
  if (read(FORCE_LOGOUT) !== null) {
    // What a logout cut short left behind would open the session again at the next start.
    removeTokens()
    if (last) closeRecord(last.userId, 'forced')
    remove(FORCE_LOGOUT)
  } else if (last && isExpired(last)) {
    closeRecord(last.userId, 'inactivity')
    removeTokens()
  }
  const token = read(TOKEN)
  if (!token || token === 'dev-token') return sessionStore.set(ANONYMOUS)
  try {
    const user = await call(auth.me, {})
    // What was over may have been renewed on the way.
    enter(read(TOKEN) ?? token, user, false)
  } catch {
    // A look at a portal that is over ends nothing but itself.
    if (looking()) {
      look(null)
      return location.replace('/participant-portal')
    }
    removeTokens()
    sessionStore.set(ANONYMOUS)
  }
}

let started: Promise<void> | undefined
/** Who is signed in, once that is known. */
export async function sessionReady(): Promise<SessionState> {
  started ??= start()
  await started
  return sessionStore.read()
}

export function useSession(): SessionState {
  useEffect(() => void sessionReady(), [])
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.read, sessionStore.read)
}

/** For what only shows to a signed-in person: shells and the screens in them. */
export function useUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('nobody is signed in')
  return user
}

const post = (e: Endpoint, body: unknown) =>
  fetch(e.path, {
    method: e.method,
    credentials: 'include',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...keyHeader(e) },
    body: JSON.stringify(body),
  })

/** Takes the session a call has opened: sign-in, registration, accepted invitation. */
export function adopt({ token, refreshToken, user }: SignedInAnswer): CurrentUser {
  queryClient.clear()
  remove(FORCE_LOGOUT)
  remove(LAST_FIGURES)
  keepTokens(token, refreshToken, 'signed-in')
  enter(token, user, true)
  return user
}

export const login = async (credentials: z.input<typeof Credentials>) =>
  adopt(await readLogin(await post(auth.login, credentials)))
export const register = async (fields: z.input<typeof Registration>) =>
  adopt(await readRegistration(await post(auth.register, fields)))

export const setUser = (user: CurrentUser) => sessionStore.set({ status: 'authenticated', user })
export async function refreshUser(): Promise<CurrentUser> {
  const user = await call(auth.me, {})
  setUser(user)
  return user
}

function forget() {
  ownToken = null
  remove(LAST_FIGURES)
  removeDrafts()
  forgetNames()
  forgetVisits()
  queryClient.clear()
  sessionStore.set(ANONYMOUS)
}
const leave = (to: string | null) => {
  if (to) setTimeout(() => void goTo(to), REDIRECT_MS)
}

/** JSON content type without a body and without the bearer: the cookie says which session ends. */
const tellServer = () =>
  fetch(auth.logout.path, {
    method: 'POST',
    credentials: 'include',
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...keyHeader(auth.logout) },
  }).then(
    (response) => response.ok || console.warn(`logout: ${response.status}`),
    (error) => console.warn('logout', error),
  )

/** Local first, so that nothing the server does keeps a person signed in here. `to` null: the caller redirects. */
export async function logout(reason: LogoutReason = 'user', to: string | null = '/login') {
  try {
    const { user } = sessionStore.read()
    write(FORCE_LOGOUT, 'true')
    if (user) closeRecord(user.id, reason)
    look(null)
    forget()
    await tellServer()
    removeTokens()
  } catch (error) {
    console.error(error)
  }
  leave(to)
}

/** The server no longer knows this session: nothing to tell it. */
export function endSession(to = '/login') {
  const { user } = sessionStore.read()
  if (!user) return
  closeRecord(user.id, 'refused')
  forget()
  removeTokens()
  leave(to)
}

/** Another tab has signed out. If someone has signed in again meanwhile, their token is not ours to remove. */
export function endWithOtherTab() {
  if (!sessionStore.read().user) return
  const current = read(TOKEN)
  if (current === null || current === ownToken || current === read(RENEWED)) removeTokens()
  forget()
  leave('/login')
}

/** Another tab has signed in: this one follows rather than call with one person's token in another's name. */
export async function followOtherTab(token: string) {
  if (token === ownToken || token === 'dev-token') return
  // The same person goes on under another token: there is nothing to ask again.
  if (ownToken && token === read(RENEWED)) {
    ownToken = token
    return
  }
  queryClient.clear()
  try {
    const user = await call(auth.me, {})
    enter(read(TOKEN) ?? token, user, false)
  } catch (error) {
    // A page that is being left hears nothing: that is no word about the session, which the other tabs still have.
    if (isTokenOver(error)) return endSession()
    forget()
    leave('/login')
  }
}
