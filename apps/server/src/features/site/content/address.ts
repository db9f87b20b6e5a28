import type { ContentKind } from '@voisol/contract/content'

/** Pages with an address of their own. */
const PAGE_PATHS: Record<string, string> = { rgpd: '/rgpd', accessibilite: '/accessibilite' }

/** Where a content is read on the site. A question is read in the list of questions. */
export function getContentPath(kind: ContentKind, category: string, slug: string): string {
  switch (kind) {
    case 'article':
      return `/resources/actualites/${slug}`
    case 'webinar':
      return `/resources/webinaires/${slug}`
    case 'white-paper':
      return `/white-papers/${slug}`
    case 'case-study':
      return `/case-studies/${slug}`
    case 'faq':
      return `/resources/faq#${slug}`
    case 'guide':
      return category === 'pratiques' ? `/resources/guides/${slug}` : `/user-guide/${slug}`
    case 'page':
      return (Object.hasOwn(PAGE_PATHS, slug) ? PAGE_PATHS[slug] : undefined) ?? `/legal/${slug}`
  }
}

/** Below these every address is that of a content. */
export const CONTENT_PATH_PATTERN =
  /^\/(?:resources\/(?:actualites|webinaires|guides)|white-papers|case-studies|user-guide|legal)\/[^/]+$/
