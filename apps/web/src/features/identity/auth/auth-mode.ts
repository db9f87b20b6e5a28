export type AuthMode =
  | { name: 'sign-in' | 'register' | 'forgotten' | 'enterprise' }
  | { name: 'reset' | 'invitation' | 'verify' | 'enterprise-return'; token: string }

/** Which form an address of /login opens. */
export function parseAuthMode(search: URLSearchParams): AuthMode {
  const invitation = search.get('invitation')
  if (invitation) return { name: 'invitation', token: invitation }
  const reset = search.get('reset')
  if (reset) return { name: 'reset', token: reset }
  const verify = search.get('verify')
  if (verify) return { name: 'verify', token: verify }
  const ticket = search.get('sso')
  if (ticket) return { name: 'enterprise-return', token: ticket }
  const mode = search.get('mode')
  return { name: mode === 'register' || mode === 'forgotten' || mode === 'enterprise' ? mode : 'sign-in' }
}

/** The address of another form; only the page asked for follows along. */
export function buildAuthLink(search: URLSearchParams, mode?: 'register' | 'forgotten' | 'enterprise') {
  const next = new URLSearchParams()
  if (mode) next.set('mode', mode)
  const redirect = search.get('redirect')
  if (redirect) next.set('redirect', redirect)
  const text = next.toString()
  return text ? `/login?${text}` : '/login'
}
