import './components/theme.css'
import './site/site.css'
import { READY_ATTRIBUTE, replayEarlyClicks } from './lib/early-clicks.ts'
import { installTrustedTypes } from './lib/trusted-types.ts'

installTrustedTypes()

/** Any of these says that somebody is there. */
const WAKE_EVENTS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'] as const
/** Without a sign the page wakes up by itself, once nothing else is going on. */
const IDLE_START_MS = 3500

/** The program of a page comes in many files: they are asked for at once rather than one after the other. */
function preloadModules() {
  const files: string[] = JSON.parse(document.getElementById('modules')?.textContent ?? '[]')
  for (const file of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/${file}` }))
}

let hasStarted = false
function startApp() {
  if (hasStarted) return
  hasStarted = true
  for (const sign of WAKE_EVENTS) removeEventListener(sign, startApp)
  preloadModules()
  void import('./entry.client.tsx')
}

/** A page that came rendered can be read at once, and its links followed: its program waits for its reader. */
function waitForReader() {
  replayEarlyClicks()
  for (const sign of WAKE_EVENTS) addEventListener(sign, startApp, { passive: true })
  const startWhenIdle = () => setTimeout(startApp, IDLE_START_MS)
  if (document.readyState === 'complete') startWhenIdle()
  else addEventListener('load', startWhenIdle, { once: true })
}

const isRendered = document.getElementById('root')?.dataset.rendered === 'true'
if (isRendered && !(READY_ATTRIBUTE in document.documentElement.dataset)) waitForReader()
else startApp()
