import './ui/theme.css'
import './site/site.css'
import { AWAKE, keepClicks } from './lib/before-awake.ts'
import { requireTrustedTypes } from './lib/trusted-types.ts'

requireTrustedTypes()

/** Any of these says that somebody is there. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'] as const
/** Without a sign the page wakes up by itself, once nothing else is going on. */
const PATIENCE_MS = 3500

/** The program of a page comes in many files: they are asked for at once rather than one after the other. */
function preload() {
  const files: string[] = JSON.parse(document.getElementById('modules')?.textContent ?? '[]')
  for (const file of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/${file}` }))
}

let woken = false
function wake() {
  if (woken) return
  woken = true
  for (const sign of SIGNS) removeEventListener(sign, wake)
  preload()
  void import('./entry.client.tsx')
}

/** A page that came rendered can be read at once, and its links followed: its program waits for its reader. */
function waitForReader() {
  keepClicks()
  for (const sign of SIGNS) addEventListener(sign, wake, { passive: true })
  const later = () => setTimeout(wake, PATIENCE_MS)
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}

const isRendered = document.getElementById('root')?.dataset.rendered === 'true'
if (isRendered && !(AWAKE in document.documentElement.dataset)) waitForReader()
else wake()
