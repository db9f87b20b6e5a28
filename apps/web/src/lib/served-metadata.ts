import { FALLBACK } from './metadata.ts'

/** What is written for one address of the site, by those who keep it. */
export type Served = { path: string; title: string | undefined; description: string | undefined; keywords: string[] }

const contentOf = (name: string) => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined

/** A page that came rendered carries what is written for it; null when the browser draws the first page itself. */
export function metadataOfDocument(): Served | null {
  if (typeof document === 'undefined' || document.getElementById('root')?.dataset.rendered !== 'true') return null
  return {
    path: location.pathname,
    title: document.title,
    description: contentOf('description') ?? FALLBACK.description,
    keywords: contentOf('keywords')?.split(', ') ?? FALLBACK.keywords,
  }
}

/** What stands for every page says less than the page itself. */
const unlessFallback = <T>(value: T, fallback: T) => (value === fallback ? undefined : value)

/** Null when it cannot be had: what the page says of itself then stays. */
export async function fetchMetadata(path: string, signal: AbortSignal): Promise<Served | null> {
  const query = new URLSearchParams({ path, ...(path === '/' && { url: '/' }) })
  try {
    const answer = await fetch(`/api/seo/content?${query}`, { signal })
    if (!answer.ok) throw new Error(`${answer.status}: ${(await answer.text()) || answer.statusText}`)
    const { title, description, keywords }: Served = await answer.json()
    return {
      path,
      keywords,
      title: unlessFallback(title, FALLBACK.title),
      description: unlessFallback(description, FALLBACK.description),
    }
  } catch (error) {
    if (!signal.aborted) console.warn('SEO', error)
    return null
  }
}
