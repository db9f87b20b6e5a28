import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { recordPageView } from '../lib/analytics.ts'
import { findAnchor, focusHeading } from '../lib/navigation.ts'
import { usePageMetadata } from './use-page-metadata.ts'

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
export function usePageChanges() {
  usePageMetadata()
  useScrollOnNavigation()
  useFocusOnNavigation()
  usePageViews()
}
