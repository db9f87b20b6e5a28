import type { ContentCard } from '@voisol/contract/content'
import type { Block } from '@voisol/contract/prose'
import { FALLBACK, type Handle, PRODUCT } from '../lib/metadata.ts'
import { pages } from '../site/pages.ts'
import { plainText } from './plain-text.ts'

type Data = Record<string, unknown>
type Question = { title: string; body: Block[] }
type Place = { origin: string; path: string; handle: Handle & { image?: string | undefined }; data: unknown }

const isRecord = (value: unknown): value is Data => typeof value === 'object' && value !== null
const isQuestion = (value: unknown): value is Question =>
  isRecord(value) && value.kind === 'faq' && typeof value.title === 'string' && Array.isArray(value.body)

const publisher = (origin: string) => ({ '@type': 'Organization', name: PRODUCT, url: `${origin}/` })

const home = ({ origin }: Place): Data[] => [
  { ...publisher(origin), logo: `${origin}/favicon.svg`, description: FALLBACK.description },
  { '@type': 'WebSite', name: PRODUCT, url: `${origin}/`, inLanguage: 'fr-FR' },
]

function article({ origin, path, handle, data }: Place): Data[] {
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
      image: origin + (handle.image ?? FALLBACK.previewImageUrl),
      author: author ? { '@type': 'Person', name: author } : publisher(origin),
      publisher: publisher(origin),
    },
  ]
}

function questions({ data }: Place): Data[] {
  const items = isRecord(data) && Array.isArray(data.items) ? data.items.filter(isQuestion) : []
  if (!items.length) return []
  const mainEntity = items.map(({ title, body }) => ({
    '@type': 'Question',
    name: title,
    acceptedAnswer: { '@type': 'Answer', text: plainText(body) },
  }))
  return [{ '@type': 'FAQPage', mainEntity }]
}

/** The pages above this one that can be opened, then the page itself. */
function breadcrumbs({ origin, path, handle }: Place): Data[] {
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
export function structuredData(place: Place): Data | null {
  const facts = [
    ...(place.path === '/' ? home(place) : []),
    ...article(place),
    ...questions(place),
    ...breadcrumbs(place),
  ]
  return facts.length ? { '@context': 'https://schema.org', '@graph': facts } : null
}
