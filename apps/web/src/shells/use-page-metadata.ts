import { useEffect, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { describe, FALLBACK, type Handle } from '../lib/metadata.ts'
import { fetchMetadata, metadataOfDocument, type Served } from '../lib/served-metadata.ts'
import { useTitle } from '../lib/title.ts'

/** The handle of the innermost route that has a title. */
export function handleOf(matches: { handle?: unknown; loaderData?: unknown }[]): Handle {
  const match = matches.findLast(({ handle }) => (handle as Handle | undefined)?.title) // every handle of the routes is one
  return match ? describe(match.handle as Handle, match.loaderData) : {}
}

function useMeta(name: string, content: string) {
  useEffect(() => {
    document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content)
  }, [name, content])
}

/** The page's own words at once; those written for its address when they arrive. The first page came with them. */
export function usePageMetadata() {
  const { pathname } = useLocation()
  const { title, description, site = false } = handleOf(useMatches())
  const [served, setServed] = useState<Served | null>(metadataOfDocument)
  const known = served?.path === pathname ? served : undefined
  // Only the pages of the site describe themselves; a screen of the product is nobody's to find.
  const wanted = site && !known
  useEffect(() => {
    if (!wanted) return
    const leaving = new AbortController()
    void fetchMetadata(pathname, leaving.signal).then((found) => found && !leaving.signal.aborted && setServed(found))
    return () => leaving.abort()
  }, [pathname, wanted])
  useTitle(title, known?.title)
  useMeta('description', known?.description ?? description ?? FALLBACK.description)
  useMeta('keywords', (known?.keywords ?? FALLBACK.keywords).join(', '))
}
