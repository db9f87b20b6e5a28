import { useEffect, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { DEFAULT_METADATA, type PageHandle, resolvePageHandle } from '../lib/metadata.ts'
import { fetchMetadata, readDocumentMetadata, type ServedMetadata } from '../lib/served-metadata.ts'
import { useTitle } from '../lib/title.ts'

/** The handle of the innermost route that has a title. */
export function getPageHandle(matches: { handle?: unknown; loaderData?: unknown }[]): PageHandle {
  const match = matches.findLast(({ handle }) => (handle as PageHandle | undefined)?.title) // every handle of the routes is one
  return match ? resolvePageHandle(match.handle as PageHandle, match.loaderData) : {}
}

function useMetaTag(name: string, content: string) {
  useEffect(() => {
    document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
  }, [name, content])
}

/** The page's own words at once; those written for its address when they arrive. The first page came with them. */
export function usePageMetadata() {
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
