import { auth } from '@voisol/contract/auth'
import { randomId } from './random-id.ts'
import { FORCE_LOGOUT, REFRESH_TOKEN, RENEWED_AT, readStorage, storeTokens, TOKEN } from './storage.ts'

const TIMEOUT_MS = 30_000
/** Before the hour that a token is good for, be it of the sign-in or of a renewal. */
const RENEW_AFTER_MS = 45 * 60_000

/** The tabs of a browser share their tokens: one of them renews, the others wait and find it done. */
const withRenewalLock = <T>(work: () => Promise<T>): Promise<T> =>
  typeof navigator === 'object' && navigator.locks ? navigator.locks.request('voisol_renewal', work) : work()

const requestRenewal = (refreshToken: string, key: string) =>
  fetch(auth.refresh.path, {
    method: auth.refresh.method,
    credentials: 'include',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ refreshToken }),
  })

/** An answer that is lost is asked for once more at once: the server gives the same again. */
async function exchangeRefreshToken(refreshToken: string): Promise<string | null> {
  const key = randomId()
  const response = await requestRenewal(refreshToken, key).catch(() => requestRenewal(refreshToken, key))
  if (response.status === 401) return null
  // Anything else says nothing of the session: it may pass.
  if (!response.ok) throw new Error(`refresh: ${response.status}`)
  const { token, refreshToken: next } = auth.refresh.response.parse(await response.json())
  // Somebody who has left meanwhile stays out.
  if (readStorage(FORCE_LOGOUT) === 'true' || readStorage(REFRESH_TOKEN) !== refreshToken) return null
  storeTokens(token, next, 'renewed')
  return token
}

let pendingRenewal: Promise<string | null> | undefined

/** The token that takes the place of `used`: one that another tab or call has fetched meanwhile, or a new one. Null where there is none to be had. */
export function renewToken(used: string | null): Promise<string | null> {
  pendingRenewal ??= withRenewalLock(async () => {
    const current = readStorage(TOKEN)
    if (current && current !== used) return current
    const refreshToken = readStorage(REFRESH_TOKEN)
    return refreshToken ? exchangeRefreshToken(refreshToken) : null
  }).finally(() => {
    pendingRenewal = undefined
  })
  return pendingRenewal
}

/** For a tab that stays open: the token is replaced before it ends. A failure is found again at the next call. */
export async function renewTokenWhenDue(now = Date.now()): Promise<void> {
  const since = Number(readStorage(RENEWED_AT) ?? Number.NaN)
  if (!readStorage(REFRESH_TOKEN) || now - since < RENEW_AFTER_MS) return
  await renewToken(readStorage(TOKEN)).catch(() => null)
}
