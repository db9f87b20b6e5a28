import { buildFullTitle, DEFAULT_METADATA, type PageHandle, PRODUCT_NAME } from '../lib/metadata.ts'
import { buildStructuredData } from './structured-data.ts'

/** What those who keep the site wrote for an address; what is empty is left to the page. */
export type WrittenMetadata = { title: string; description: string; keywords: string[]; previewImageUrl: string }
type HeadInput = {
  url: URL
  handle: PageHandle & { image?: string | undefined }
  indexed: boolean
  data: unknown
  written: WrittenMetadata | undefined
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
const renderMetaTag = (key: 'name' | 'property', name: string, content: string) =>
  `<meta ${key}="${name}" content="${escapeHtml(content)}">`
/** A block of data is not a program: the policy on scripts lets it pass, and the browser never runs it. */
export const renderDataScript = (type: string, value: unknown, id = '') =>
  `<script type="${type}"${id && ` id="${id}"`}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

function renderAddressTags({ url, handle, indexed }: HeadInput): string[] {
  if (!indexed) return [renderMetaTag('name', 'robots', 'noindex')]
  const canonical = url.origin + (handle.canonical ?? url.pathname)
  return [`<link rel="canonical" href="${escapeHtml(canonical)}">`, renderMetaTag('property', 'og:url', canonical)]
}

function renderStructuredData({ url, handle, indexed, data }: HeadInput): string[] {
  const path = handle.canonical ?? url.pathname
  const found = indexed && buildStructuredData({ origin: url.origin, path, handle, data })
  return found ? [renderDataScript('application/ld+json', found)] : []
}

/** What is written for the address, else what the page says of itself, else what stands for every page. */
export function renderHead(page: HeadInput): string {
  const { url, handle, written } = page
  const title = written?.title || buildFullTitle(handle.title)
  const description = written?.description || handle.description || DEFAULT_METADATA.description
  const keywords = written?.keywords.length ? written.keywords : DEFAULT_METADATA.keywords
  const image = url.origin + (written?.previewImageUrl || handle.image || DEFAULT_METADATA.previewImageUrl)
  const isArticle = typeof page.data === 'object' && page.data && 'kind' in page.data && page.data.kind === 'article'
  return [
    `<title>${escapeHtml(title)}</title>`,
    renderMetaTag('name', 'description', description),
    renderMetaTag('name', 'keywords', keywords.join(', ')),
    ...renderAddressTags(page),
    renderMetaTag('property', 'og:title', title),
    renderMetaTag('property', 'og:description', description),
    renderMetaTag('property', 'og:image', image),
    renderMetaTag('property', 'og:type', isArticle ? 'article' : 'website'),
    renderMetaTag('property', 'og:locale', 'fr_FR'),
    renderMetaTag('property', 'og:site_name', PRODUCT_NAME),
    renderMetaTag('name', 'twitter:card', 'summary_large_image'),
    ...renderStructuredData(page),
  ].join('\n    ')
}
