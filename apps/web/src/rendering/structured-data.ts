import type { ContentCard } from '@voisol/contract/content'
import type { Block } from '@voisol/contract/prose'
import { DEFAULT_METADATA, type PageHandle, PRODUCT_NAME } from '../lib/metadata.ts'
import { pages } from '../site/pages.ts'
import { toPlainText } from './plain-text.ts'

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
export function buildStructuredData(place: PageContext): JsonLdObject | null {
  const facts = [
    ...(place.path === '/' ? buildHomeData(place) : []),
    ...buildArticleData(place),
    ...buildFaqData(place),
    ...buildBreadcrumbData(place),
  ]
  return facts.length ? { '@context': 'https://schema.org', '@graph': facts } : null
}
