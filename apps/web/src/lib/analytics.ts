import { settings } from './settings.ts'
import { ownKey, read, remove, write } from './storage.ts'

export type Consent = 'granted' | 'refused'
const KEY = ownKey('consent')
const listeners = new Set<() => void>()

export function consent(): Consent | null {
  const stored = read(KEY)
  return stored === 'granted' || stored === 'refused' ? stored : null
}

const tell = () => {
  for (const listener of listeners) listener()
}

/** The page that was open while the choice was made counts from then on. */
export function setConsent(choice: Consent) {
  write(KEY, choice)
  count()
  tell()
}

/** What was agreed holds no longer, at once, and the question is asked again. */
export function withdrawConsent() {
  remove(KEY)
  tell()
}

export function onConsent(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether there is anything to ask about. */
export const isMeasured = () => Boolean(settings().analyticsId)

/** `analyticsUrl` is where the installation gathers its page views: an address of its own, never another host's script. */
type Measurement = { analyticsId?: string; analyticsUrl?: string }

/** The page view to send, or null: nothing leaves without an id, an address and the visitor's consent. */
export const pageViewOf = (path: string, { analyticsId, analyticsUrl }: Measurement, choice: Consent | null) =>
  analyticsId && analyticsUrl && choice === 'granted' ? { url: analyticsUrl, body: { id: analyticsId, path } } : null

/** The page being read, until it has been counted: no other one is remembered, so that nothing is kept before consent. */
let uncounted: string | null = null

function count() {
  if (uncounted === null) return
  const view = pageViewOf(uncounted, settings(), consent())
  if (!view) return
  uncounted = null
  navigator.sendBeacon(view.url, JSON.stringify(view.body))
}

/** Called on each route change; the path alone, without the query, which may name a person. */
export function pageView(path: string) {
  uncounted = path
  count()
}
