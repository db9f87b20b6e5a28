import { DEFAULT_METADATA } from '@voisol/contract/page-title'

export { buildFullTitle, PRODUCT_NAME } from '@voisol/contract/page-title'
export { DEFAULT_METADATA }

export type PageMetadata = { title: string; description: string; image?: string | undefined }
export type PageHandle = {
  title?: string
  description?: string | undefined
  notFound?: boolean
  /** A page of the public site, which search engines may find. */
  site?: boolean
  noIndex?: boolean
  /** The same page under its first address, for search engines. */
  canonical?: string
  /** Of a page whose title is in its data; null says that there is no such page. */
  meta?: (data: unknown) => PageMetadata | null
}

/** What a page says of itself: with its data where they carry the title. */
export function resolvePageHandle(handle: PageHandle, data: unknown): PageHandle & { image?: string | undefined } {
  if (!handle.meta) return handle
  const meta = handle.meta(data)
  return meta ? { ...handle, ...meta } : { title: 'Page introuvable', notFound: true }
}

/** What is written for one address of the site, by those who keep it. */
export type ServedMetadata = {
  path: string
  title: string | undefined
  description: string | undefined
  keywords: string[]
}

const getMetaContent = (name: string) =>
  document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined

/** A page that came rendered carries what is written for it; null when the browser draws the first page itself. */
export function readDocumentMetadata(): ServedMetadata | null {
  if (typeof document === 'undefined' || document.getElementById('root')?.dataset.rendered !== 'true') return null
  return {
    path: location.pathname,
    title: document.title,
    description: getMetaContent('description') ?? DEFAULT_METADATA.description,
    keywords: getMetaContent('keywords')?.split(', ') ?? DEFAULT_METADATA.keywords,
  }
}

/** What stands for every page says less than the page itself. */
const dropFallback = <T>(value: T, fallback: T) => (value === fallback ? undefined : value)

/** Null when it cannot be had: what the page says of itself then stays. */
export async function fetchMetadata(path: string, signal: AbortSignal): Promise<ServedMetadata | null> {
  const query = new URLSearchParams({ path, ...(path === '/' && { url: '/' }) })
  try {
    const answer = await fetch(`/api/seo/content?${query}`, { signal })
    if (!answer.ok) throw new Error(`${answer.status}: ${(await answer.text()) || answer.statusText}`)
    const { title, description, keywords }: ServedMetadata = await answer.json()
    return {
      path,
      keywords,
      title: dropFallback(title, DEFAULT_METADATA.title),
      description: dropFallback(description, DEFAULT_METADATA.description),
    }
  } catch (error) {
    if (!signal.aborted) console.warn('SEO', error)
    return null
  }
}
