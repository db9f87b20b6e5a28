import type { CurrentUser } from '@voisol/contract/auth'

/** Each space has its own. */
export const getHomePath = ({ space }: Pick<CurrentUser, 'space'>) =>
  space === 'office' ? '/dashboard' : '/client-portal'

const MAX_DECODINGS = 5

/** Every reading of the value, from as given to fully decoded; null when it is not a sound address. */
function decodeRepeatedly(value: string): string[] | null {
  const seen = [value]
  for (let i = 0; i < MAX_DECODINGS; i++) {
    const last = seen.at(-1) ?? ''
    try {
      const next = decodeURIComponent(last)
      if (next === last) return seen
      seen.push(next)
    } catch {
      return null
    }
  }
  return null
}

/** `/.//host` becomes `//host` once resolved: the resolved path counts, not the written one. */
function isOwnPath(value: string, origin: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them from addresses, so `/\t/host` is `//host`
  if (!/^\/(?![/\\])/.test(value) || /[\\\u0000-\u001f\u007f]/.test(value)) return false
  if (!URL.canParse(value, origin)) return false
  const url = new URL(value, origin)
  return url.origin === origin && !url.pathname.startsWith('//')
}

/** The page asked for before signing in, if it is one of ours however it is decoded; otherwise null. */
export function toSafeRedirect(value: string | null, origin: string): string | null {
  const decodedForms = value ? decodeRepeatedly(value) : null
  if (!value || !decodedForms?.every((reading) => isOwnPath(reading, origin))) return null
  const { pathname, search, hash } = new URL(value, origin)
  // Asking for the sign-in page again would lead nowhere.
  return /^\/login\/?$/i.test(pathname) ? null : pathname + search + hash
}

let navigate: ((path: string) => unknown) | undefined

/** The router's own navigation, for what happens outside of a component. */
export const setNavigator = (next: typeof navigate) => {
  navigate = next
}

/** Without a router, or when it fails, the browser itself goes there. */
export async function goTo(path: string) {
  try {
    if (!navigate) return location.assign(path)
    await navigate(path)
  } catch (error) {
    console.error(error)
    location.assign(path)
  }
}
