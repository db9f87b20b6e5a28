const memory = new Map<string, string>()

/** Browser storage may be refused or full: the product then works for the time of the page. */
const guarded = <T>(work: () => T, fallback: () => T): T => {
  try {
    return work()
  } catch {
    return fallback()
  }
}

export const read = (key: string): string | null =>
  guarded(
    () => localStorage.getItem(key) ?? memory.get(key) ?? null,
    () => memory.get(key) ?? null,
  )
export const write = (key: string, value: string) =>
  guarded(
    () => {
      localStorage.setItem(key, value)
      memory.delete(key)
    },
    () => void memory.set(key, value),
  )
export const remove = (key: string) => {
  memory.delete(key)
  guarded(
    () => localStorage.removeItem(key),
    () => undefined,
  )
}

/** The three names the specification fixes; every other key is prefixed with the product's name. */
export const TOKEN = 'token'
export const LEGACY_TOKEN = 'auth_token'
export const FORCE_LOGOUT = 'force_logout'
export const ownKey = (name: string) => `voisol_${name}`
export const REFRESH_TOKEN = ownKey('refresh_token')
/** The token that a renewal gave, and when the tokens were given: a tab then knows a renewal from a sign-in. */
export const RENEWED = ownKey('renewed')
export const RENEWED_AT = ownKey('renewed_at')
/** Changes whenever the session moves to another company or space. */
export const PLACE = ownKey('place')

/** What the portal shows without a network: one person's, until they sign out. `portal-offline.js` reads it. */
export const LAST_FIGURES = ownKey('last_figures')

/** The participant's portal that this tab looks at, and no other tab. */
const VIEW = ownKey('view')
export const looking = () =>
  guarded(
    () => sessionStorage.getItem(VIEW),
    () => null,
  )
export const look = (view: string | null) =>
  guarded(
    () => (view ? sessionStorage.setItem(VIEW, view) : sessionStorage.removeItem(VIEW)),
    () => undefined,
  )

/** A draft of an operation is kept under this name, its company and its person, and holds names and addresses of people. */
export const OPERATION_DRAFT = ownKey('operation_')

/** Drafts are for the tab and the session: whoever signs in next in this tab finds none. */
export const removeDrafts = () =>
  guarded(
    () => {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(OPERATION_DRAFT)) sessionStorage.removeItem(key)
    },
    () => undefined,
  )

/** While force_logout is set the token is not sent. */
export function authorization(): Record<string, string> {
  const token = read(TOKEN)
  const view = looking()
  return token && read(FORCE_LOGOUT) !== 'true'
    ? { authorization: `Bearer ${token}`, ...(view && { 'x-voisol-view': view }) }
    : {}
}

/** Strict: another site never makes the browser send it. The logout call, which carries no bearer, is known by it. */
export const writeCookie = (token: string) =>
  guarded(
    () => {
      const secure = location.protocol === 'https:' ? '; Secure' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent outside secure contexts
      document.cookie = `${TOKEN}=${encodeURIComponent(token)}; Path=/; SameSite=Strict${secure}`
    },
    () => undefined,
  )

const removeCookie = () =>
  guarded(
    () => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent outside secure contexts
      document.cookie = `${TOKEN}=; Path=/; Max-Age=0; SameSite=Strict`
    },
    () => undefined,
  )

/** The token comes last: what other tabs hear of stands in its place by then. */
export function keepTokens(token: string, refreshToken: string | undefined, how: 'signed-in' | 'renewed') {
  if (refreshToken) write(REFRESH_TOKEN, refreshToken)
  else remove(REFRESH_TOKEN)
  write(RENEWED_AT, String(Date.now()))
  if (how === 'renewed') write(RENEWED, token)
  else remove(RENEWED)
  write(TOKEN, token)
  writeCookie(token)
}

/** Everything that could open a session again. */
export function removeTokens() {
  for (const key of [REFRESH_TOKEN, RENEWED, RENEWED_AT]) remove(key)
  remove(TOKEN)
  remove(LEGACY_TOKEN)
  remove(LAST_FIGURES)
  removeCookie()
}
