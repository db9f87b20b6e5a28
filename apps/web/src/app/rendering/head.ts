import type { ContentCard } from '@voisol/contract/content'
import type { Block, Inline } from '@voisol/contract/prose'
import { buildFullTitle, DEFAULT_METADATA, type PageHandle, PRODUCT_NAME } from '../../lib/metadata.ts'
import { pages } from '../../site/pages.ts'

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

type JsonLdObject = Record<string, unknown>
type Question = { title: string; body: Block[] }
type PageContext = { origin: string; path: string; handle: PageHandle & { image?: string | undefined }; data: unknown }

const isRecord = (value: unknown): value is JsonLdObject => typeof value === 'object' && value !== null
const isQuestion = (value: unknown): value is Question =>
  isRecord(value) && value.kind === 'faq' && typeof value.title === 'string' && Array.isArray(value.body)

const buildPublisher = (origin: string) => ({ '@type': 'Organization', name: PRODUCT_NAME, url: `${origin}/` })

const buildHomeData = ({ origin }: PageContext): JsonLdObject[] => [
  { ...buildPublisher(origin), logo: `${origin}/favicon.svg`, description: DEFAULT_METADATA.description },
  { '@type': 'WebSite', name: PRODUCT_NAME, url: `${origin}/`, inLanguage: 'fr-FR' },
]

function buildArticleData({ origin, path, handle, data }: PageContext): JsonLdObject[] {
  if (!isRecord(data) || data.kind !== 'article') return []
  const { title, summary, author, publishedAt, updatedAt } = data as ContentCard // the kind says what it is
  return [
    {
      '@type': 'Article',
      headline: title,
      description: summary,
      datePublished: publishedAt,
      dateModified: updatedAt,
      inLanguage: 'fr-FR',
      mainEntityOfPage: origin + path,
      image: origin + (handle.image ?? DEFAULT_METADATA.previewImageUrl),
      author: author ? { '@type': 'Person', name: author } : buildPublisher(origin),
      publisher: buildPublisher(origin),
    },
  ]
}

function buildFaqData({ data }: PageContext): JsonLdObject[] {
  const items = isRecord(data) && Array.isArray(data.items) ? data.items.filter(isQuestion) : []
  if (!items.length) return []
  const mainEntity = items.map(({ title, body }) => ({
    '@type': 'Question',
    name: title,
    acceptedAnswer: { '@type': 'Answer', text: toPlainText(body) },
  }))
  return [{ '@type': 'FAQPage', mainEntity }]
}

/** The pages above this one that can be opened, then the page itself. */
function buildBreadcrumbData({ origin, path, handle }: PageContext): JsonLdObject[] {
  const parts = path.split('/').slice(1)
  if (parts.length < 2) return []
  const above = parts.slice(0, -1).flatMap((_, index) => {
    const address = `/${parts.slice(0, index + 1).join('/')}`
    const page = pages.find((row) => row.path === address)
    return page ? [{ name: page.title, item: origin + address }] : []
  })
  const steps = [{ name: 'Accueil', item: `${origin}/` }, ...above, { name: handle.title, item: origin + path }]
  const itemListElement = steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step }))
  return [{ '@type': 'BreadcrumbList', itemListElement }]
}

/** What a search engine may read of a page as facts: only what the page itself shows. */
function buildStructuredData(place: PageContext): JsonLdObject | null {
  const facts = [
    ...(place.path === '/' ? buildHomeData(place) : []),
    ...buildArticleData(place),
    ...buildFaqData(place),
    ...buildBreadcrumbData(place),
  ]
  return facts.length ? { '@context': 'https://schema.org', '@graph': facts } : null
}

function toInlineText(part: Inline): string {
  if (part.kind === 'break') return ' '
  return 'children' in part ? part.children.map(toInlineText).join('') : part.text
}
const toLineText = (parts: Inline[]) => parts.map(toInlineText).join('')

function toSentences(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [toLineText(block.children)]
    case 'list':
      return block.items.flatMap((item) => item.flatMap(toSentences))
    case 'quote':
      return block.blocks.flatMap(toSentences)
    case 'note':
      return [block.title, ...block.blocks.flatMap(toSentences)]
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(toLineText).join(', '))
    case 'figures':
      return block.items.map(({ figure, unit, label }) => `${figure} ${unit} ${label}`)
    case 'steps':
      return block.items.flatMap(({ title, blocks }) => [title, ...blocks.flatMap(toSentences)])
    case 'call':
      return [block.title, block.text]
    case 'code':
    case 'image':
    case 'rule':
      return []
  }
}

/** The words of a written text, without its form. */
const toPlainText = (blocks: Block[]) =>
  blocks
    .flatMap(toSentences)
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n')
