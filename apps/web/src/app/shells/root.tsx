import { type MouseEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router'
import { Button } from '../../components/button.tsx'
import {
  getConsent,
  isAnalyticsConfigured,
  onAnalyticsConsentChange,
  recordPageView,
  setAnalyticsConsent,
} from '../../lib/analytics.ts'
import { markReady } from '../../lib/early-clicks.ts'
import {
  DEFAULT_METADATA,
  fetchMetadata,
  type PageHandle,
  readDocumentMetadata,
  resolvePageHandle,
  type ServedMetadata,
} from '../../lib/metadata.ts'
import { computeProgress, findAnchor, focusHeading, PROGRESS_TIMES } from '../../lib/navigation.ts'
import { useTitle } from '../../lib/page-title.ts'

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

/** Runs on each change of path, from the moment it is asked for; a change of query or anchor stays on the page. */
function ProgressBar() {
  const here = useLocation().pathname
  const target = useNavigation().location?.pathname ?? here
  const [percent, setPercent] = useState<number | null>(null)
  const last = useRef(target)
  useEffect(() => {
    if (last.current === target) return
    last.current = target
    const timers = PROGRESS_TIMES.map((ms) => setTimeout(() => setPercent(computeProgress(ms)), ms))
    // A newer route change takes the bar over; leaving it half-way would freeze it on the screen.
    return () => timers.forEach(clearTimeout)
  }, [target])
  if (percent === null) return null
  return (
    <div aria-hidden="true" data-print="hide" className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5">
      <div
        className="h-full origin-left bg-primary transition-transform duration-100 ease-out"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  )
}

const isConsentPending = () => isAnalyticsConfigured() && getConsent() === null
const returnFalse = () => false

/** Shown only where visits are measured, until the visitor chooses; refusing is as easy as accepting. */
function ConsentBanner() {
  const shown = useSyncExternalStore(onAnalyticsConsentChange, isConsentPending, returnFalse)
  if (!shown) return null
  return (
    <section
      aria-label="Mesure d’audience"
      data-print="hide"
      className="fixed inset-x-3 bottom-3 z-40 flex animate-rise flex-wrap items-center gap-3 rounded-card border border-line bg-card p-4 shadow-float sm:right-auto sm:max-w-md"
    >
      <p className="min-w-0 flex-1 basis-60 text-[0.8125rem] text-ink-soft">
        Nous comptons les pages vues pour améliorer le site. Aucun autre service n’y a accès.
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="small" onClick={() => setAnalyticsConsent('refused')}>
          Refuser
        </Button>
        <Button variant="secondary" size="small" onClick={() => setAnalyticsConsent('granted')}>
          Accepter
        </Button>
      </div>
    </section>
  )
}

function useScrollOnNavigation() {
  const { pathname, hash } = useLocation()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path with the same hash scrolls again
  useEffect(() => {
    const anchor = findAnchor(hash)
    if (anchor) anchor.scrollIntoView()
    else if (!first.current) window.scrollTo(0, 0)
    first.current = false
  }, [pathname, hash])
}

function useFocusOnNavigation() {
  const { pathname, hash } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (!hash) return focusHeading()
  }, [pathname, hash])
}

function usePageViews() {
  const { pathname } = useLocation()
  const last = useRef('')
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    recordPageView(pathname)
  }, [pathname])
}

/** What follows every route change, on the site as in the product. */
function usePageChanges() {
  usePageMetadata()
  useScrollOnNavigation()
  useFocusOnNavigation()
  usePageViews()
}

/** The handle of the innermost route that has a title. */
function getPageHandle(matches: { handle?: unknown; loaderData?: unknown }[]): PageHandle {
  const match = matches.findLast(({ handle }) => (handle as PageHandle | undefined)?.title) // every handle of the routes is one
  return match ? resolvePageHandle(match.handle as PageHandle, match.loaderData) : {}
}

function useMetaTag(name: string, content: string) {
  useEffect(() => {
    document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
  }, [name, content])
}

/** The page's own words at once; those written for its address when they arrive. The first page came with them. */
function usePageMetadata() {
  const { pathname } = useLocation()
  const { title, description, site = false } = getPageHandle(useMatches())
  const [served, setServed] = useState<ServedMetadata | null>(readDocumentMetadata)
  const known = served?.path === pathname ? served : undefined
  // Only the pages of the site describe themselves; a screen of the product is nobody's to find.
  const shouldFetch = site && !known
  useEffect(() => {
    if (!shouldFetch) return
    const abortController = new AbortController()
    void fetchMetadata(pathname, abortController.signal).then(
      (found) => found && !abortController.signal.aborted && setServed(found),
    )
    return () => abortController.abort()
  }, [pathname, shouldFetch])
  useTitle(title, known?.title)
  useMetaTag('description', known?.description ?? description ?? DEFAULT_METADATA.description)
  useMetaTag('keywords', (known?.keywords ?? DEFAULT_METADATA.keywords).join(', '))
}
