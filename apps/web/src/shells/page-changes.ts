import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { pageView } from '../lib/analytics.ts'
import { anchorOf, focusHeading } from '../lib/navigation.ts'
import { usePageMetadata } from './use-page-metadata.ts'

function useScroll() {
  const { pathname, hash } = useLocation()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path with the same hash scrolls again
  useEffect(() => {
    const anchor = anchorOf(hash)
    if (anchor) anchor.scrollIntoView()
    else if (!first.current) window.scrollTo(0, 0)
    first.current = false
  }, [pathname, hash])
}

function useAnnouncedPage() {
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
    pageView(pathname)
  }, [pathname])
}

/** What follows every route change, on the site as in the product. */
export function usePageChanges() {
  usePageMetadata()
  useScroll()
  useAnnouncedPage()
  usePageViews()
}
