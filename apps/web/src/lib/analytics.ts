import { getPageSettings } from './settings.ts'
import { readStorage, removeFromStorage, toStorageKey, writeStorage } from './storage.ts'

type AnalyticsConsent = 'granted' | 'refused'
const CONSENT_KEY = toStorageKey('consent')
const listeners = new Set<() => void>()

export function getConsent(): AnalyticsConsent | null {
  const stored = readStorage(CONSENT_KEY)
  return stored === 'granted' || stored === 'refused' ? stored : null
}

const notifyConsentListeners = () => {
  for (const listener of listeners) listener()
}

/** The page that was open while the choice was made counts from then on. */
export function setAnalyticsConsent(choice: AnalyticsConsent) {
  writeStorage(CONSENT_KEY, choice)
  sendPageView()
  notifyConsentListeners()
}

/** What was agreed holds no longer, at once, and the question is asked again. */
export function withdrawAnalyticsConsent() {
  removeFromStorage(CONSENT_KEY)
  notifyConsentListeners()
}

export function onAnalyticsConsentChange(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Whether there is anything to ask about. */
export const isAnalyticsConfigured = () => Boolean(getPageSettings().analyticsId)

/** `analyticsUrl` is where the installation gathers its page views: an address of its own, never another host's script. */
type Measurement = { analyticsId?: string; analyticsUrl?: string }

/** The page view to send, or null: nothing leaves without an id, an address and the visitor's consent. */
export const buildPageView = (
  path: string,
  { analyticsId, analyticsUrl }: Measurement,
  choice: AnalyticsConsent | null,
) =>
  analyticsId && analyticsUrl && choice === 'granted' ? { url: analyticsUrl, body: { id: analyticsId, path } } : null

/** The page being read, until it has been counted: no other one is remembered, so that nothing is kept before consent. */
let pendingPageView: string | null = null

function sendPageView() {
  if (pendingPageView === null) return
  const view = buildPageView(pendingPageView, getPageSettings(), getConsent())
  if (!view) return
  pendingPageView = null
  navigator.sendBeacon(view.url, JSON.stringify(view.body))
}

/** Called on each route change; the path alone, without the query, which may name a person. */
export function recordPageView(path: string) {
  pendingPageView = path
  sendPageView()
}
