import { type MouseEvent, useEffect } from 'react'
import { Outlet } from 'react-router'
import { markReady } from '../lib/before-awake.ts'
import { ConsentBanner } from './consent-banner.tsx'
import { usePageChanges } from './page-changes.ts'
import { ProgressBar } from './progress-bar.tsx'

/** The router would take the anchor for a navigation; without script the plain link does the same. */
function skipToContent(event: MouseEvent) {
  const main = document.querySelector('main')
  if (!main) return
  event.preventDefault()
  main.tabIndex = -1
  main.focus()
  main.scrollIntoView()
}

const SkipLink = () => (
  // biome-ignore lint/a11y/useValidAnchor: the anchor is real, and works before the script does
  <a
    href="#contenu"
    onClick={skipToContent}
    className="sr-only z-70 rounded-button bg-ink px-4 py-2 font-medium text-white focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
  >
    Aller au contenu
  </a>
)

/** Around every page, the site's and the product's: light, because each of them loads it first. */
export function Root() {
  usePageChanges()
  useEffect(markReady, [])
  return (
    <>
      <SkipLink />
      <ProgressBar />
      <Outlet />
      <ConsentBanner />
    </>
  )
}
