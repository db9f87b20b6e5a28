import type { ContentCard } from '@voisol/contract/content'

const PATHS_BY_KIND: Record<ContentCard['kind'], string> = {
  article: '/resources/actualites',
  webinar: '/resources/webinaires',
  'white-paper': '/white-papers',
  'case-study': '/case-studies',
  faq: '/resources/faq',
  guide: '/user-guide',
  page: '/legal',
}

/** Where a content is read. */
export function getContentPath({ kind, category, slug }: Pick<ContentCard, 'kind' | 'category' | 'slug'>) {
  if (kind === 'faq') return `${PATHS_BY_KIND.faq}#${slug}`
  if (kind === 'guide' && category === 'pratiques') return `/resources/guides/${slug}`
  if (kind === 'page') return ['rgpd', 'accessibilite'].includes(slug) ? `/${slug}` : `/legal/${slug}`
  return `${PATHS_BY_KIND[kind]}/${slug}`
}
