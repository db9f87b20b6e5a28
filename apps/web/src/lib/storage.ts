const memoryStorage = new Map<string, string>()

/** Browser storage may be refused or full: the product then works for the time of the page. */
const withFallback = <T>(work: () => T, fallback: () => T): T => {
  try {
    return work()
  } catch {
    return fallback()
  }
}

export const readStorage = (key: string): string | null =>
  withFallback(
    () => localStorage.getItem(key) ?? memoryStorage.get(key) ?? null,
    () => memoryStorage.get(key) ?? null,
  )
export const writeStorage = (key: string, value: string) =>
  withFallback(
    () => {
      localStorage.setItem(key, value)
      memoryStorage.delete(key)
    },
    () => void memoryStorage.set(key, value),
  )
export const removeFromStorage = (key: string) => {
  memoryStorage.delete(key)
  withFallback(
    () => localStorage.removeItem(key),
    () => undefined,
  )
}

/** The three names the specification fixes; every other key is prefixed with the product's name. */
export const TOKEN = 'token'
const LEGACY_TOKEN = 'auth_token'
export const FORCE_LOGOUT = 'force_logout'
export const toStorageKey = (name: string) => `voisol_${name}`
export const REFRESH_TOKEN = toStorageKey('refresh_token')
/** The token that a renewal gave, and when the tokens were given: a tab then knows a renewal from a sign-in. */
export const RENEWED_TOKEN = toStorageKey('renewed')
export const RENEWED_AT = toStorageKey('renewed_at')
/** Changes whenever the session moves to another company or space. */
export const SESSION_LOCATION = toStorageKey('place')

/** What the portal shows without a network: one person's, until they sign out. `portal-offline.js` reads it. */
export const LAST_FIGURES = toStorageKey('last_figures')

/** The participant's portal that this tab looks at, and no other tab. */
const IMPERSONATION_KEY = toStorageKey('view')
export const getImpersonationId = () =>
  withFallback(
    () => sessionStorage.getItem(IMPERSONATION_KEY),
    () => null,
  )
export const setImpersonationId = (view: string | null) =>
  withFallback(
    () => (view ? sessionStorage.setItem(IMPERSONATION_KEY, view) : sessionStorage.removeItem(IMPERSONATION_KEY)),
    () => undefined,
  )

/** A draft of an operation is kept under this name, its company and its person, and holds names and addresses of people. */
export const OPERATION_DRAFT_PREFIX = toStorageKey('operation_')

/** Drafts are for the tab and the session: whoever signs in next in this tab finds none. */
export const removeDrafts = () =>
  withFallback(
    () => {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(OPERATION_DRAFT_PREFIX)) sessionStorage.removeItem(key)
    },
    () => undefined,
  )

/** While force_logout is set the token is not sent. */
export function buildAuthorizationHeaders(): Record<string, string> {
  const token = readStorage(TOKEN)
  const view = getImpersonationId()
  return token && readStorage(FORCE_LOGOUT) !== 'true'
    ? { authorization: `Bearer ${token}`, ...(view && { 'x-voisol-view': view }) }
    : {}
}

/** Strict: another site never makes the browser send it. The logout call, which carries no bearer, is known by it. */
export const writeTokenCookie = (token: string) =>
  withFallback(
    () => {
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent outside secure contexts
      document.cookie = `${TOKEN}=${encodeURIComponent(token)}; Path=/; SameSite=Strict${secure}`
    },
    () => undefined,
  )

const removeTokenCookie = () =>
  withFallback(
    () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent outside secure contexts
      document.cookie = `${TOKEN}=; Path=/; Max-Age=0; SameSite=Strict`
    },
    () => undefined,
  )

/** The token comes last: what other tabs hear of stands in its place by then. */
export function storeTokens(token: string, refreshToken: string | undefined, how: 'signed-in' | 'renewed') {
  if (refreshToken) writeStorage(REFRESH_TOKEN, refreshToken)
  else removeFromStorage(REFRESH_TOKEN)
  writeStorage(RENEWED_AT, String(Date.now()))
  if (how === 'renewed') writeStorage(RENEWED_TOKEN, token)
  else removeFromStorage(RENEWED_TOKEN)
  writeStorage(TOKEN, token)
  writeTokenCookie(token)
}

/** Everything that could open a session again. */
export function removeTokens() {
  for (const key of [REFRESH_TOKEN, RENEWED_TOKEN, RENEWED_AT]) removeFromStorage(key)
  removeFromStorage(TOKEN)
  removeFromStorage(LEGACY_TOKEN)
  removeFromStorage(LAST_FIGURES)
  removeTokenCookie()
}
