import { FALLBACK, fullTitle, type Handle, PRODUCT } from '../lib/metadata.ts'
import { structuredData } from './structured-data.ts'

/** What those who keep the site wrote for an address; what is empty is left to the page. */
export type Written = { title: string; description: string; keywords: string[]; previewImageUrl: string }
type Page = {
  url: URL
  handle: Handle & { image?: string | undefined }
  indexed: boolean
  data: unknown
  written: Written | undefined
}

const safe = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
const meta = (key: 'name' | 'property', name: string, content: string) =>
  `<meta ${key}="${name}" content="${safe(content)}">`
/** A block of data is not a program: the policy on scripts lets it pass, and the browser never runs it. */
export const dataBlock = (type: string, value: unknown, id = '') =>
  `<script type="${type}"${id && ` id="${id}"`}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

function address({ url, handle, indexed }: Page): string[] {
  if (!indexed) return [meta('name', 'robots', 'noindex')]
  const canonical = url.origin + (handle.canonical ?? url.pathname)
  return [`<link rel="canonical" href="${safe(canonical)}">`, meta('property', 'og:url', canonical)]
}

function facts({ url, handle, indexed, data }: Page): string[] {
  const path = handle.canonical ?? url.pathname
  const found = indexed && structuredData({ origin: url.origin, path, handle, data })
  return found ? [dataBlock('application/ld+json', found)] : []
}

/** What is written for the address, else what the page says of itself, else what stands for every page. */
export function head(page: Page): string {
  const { url, handle, written } = page
  const title = written?.title || fullTitle(handle.title)
  const description = written?.description || handle.description || FALLBACK.description
  const keywords = written?.keywords.length ? written.keywords : FALLBACK.keywords
  const image = url.origin + (written?.previewImageUrl || handle.image || FALLBACK.previewImageUrl)
  const isArticle = typeof page.data === 'object' && page.data && 'kind' in page.data && page.data.kind === 'article'
  return [
    `<title>${safe(title)}</title>`,
    meta('name', 'description', description),
    meta('name', 'keywords', keywords.join(', ')),
    ...address(page),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:image', image),
    meta('property', 'og:type', isArticle ? 'article' : 'website'),
    meta('property', 'og:locale', 'fr_FR'),
    meta('property', 'og:site_name', PRODUCT),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...facts(page),
  ].join('\n    ')
}
