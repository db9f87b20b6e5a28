import type { ContentCard } from '@voisol/contract/content'
import type { Params } from 'react-router'
import type { PageMetadata } from '../../lib/metadata.ts'
import type { PageRow } from '../pages.ts'
import { CONTENT_PAGE_SIZE } from './page-size.ts'

/** The list of a kind, or of one of its shelves; the page is the one the address names. */
const createListAddress =
  (kind: string, more = '') =>
  ({ search }: { search: URLSearchParams }) =>
    `/api/content/${kind}?size=${CONTENT_PAGE_SIZE}&page=${Math.max(1, Number(search.get('page')) || 1)}${more}`

const createItemAddress =
  (kind: string) =>
  ({ params }: { params: Params }) =>
    `/api/content/${kind}/${encodeURIComponent(params.slug ?? '')}`

/** What is read says its own title; what could not be read is not there. */
function toPageMetadata(data: unknown): PageMetadata | null {
  const card = data as Partial<ContentCard> | null // the loader's own answer
  if (!card?.title || !card.summary) return null
  return { title: card.title, description: card.summary, image: card.image?.src }
}

const faqRow: PageRow = {
  page: () => import('./faq.tsx'),
  data: '/api/content/faq?size=100',
  title: 'Questions fréquentes sur l’autoconsommation',
}
const documentationRow: PageRow = {
  page: () => import('./documentation.tsx'),
  title: 'Documentation de la plateforme',
}
const createLegalRow = (slug: string, title: string): PageRow => ({
  page: () => import('./legal.tsx'),
  data: `/api/content/page/${slug}`,
  title,
  meta: toPageMetadata,
})

export const resourceRows = {
  '/resources': {
    page: () => import('./hub.tsx'),
    title: 'Ressources pour partager l’énergie solaire',
  },
  '/resources/documentation': documentationRow,
  '/documentation': {
    ...documentationRow,
    canonical: '/resources/documentation',
    title: 'Documentation de Voisol',
  },
  '/resources/guides': {
    page: () => import('./guides.tsx'),
    data: createListAddress('guide', '&category=pratiques'),
    title: 'Guides pratiques de l’autoconsommation',
  },
  '/resources/guides/:slug': {
    page: () => import('./practical-guide.tsx'),
    data: createItemAddress('guide'),
    meta: toPageMetadata,
    title: 'Guide pratique',
  },
  '/resources/actualites': {
    page: () => import('./articles.tsx'),
    data: createListAddress('article', '&category=actualites'),
    title: 'Actualités de l’autoconsommation collective',
  },
  '/resources/actualites/:slug': {
    page: () => import('./article.tsx'),
    data: createItemAddress('article'),
    meta: toPageMetadata,
    title: 'Article',
  },
  '/resources/webinaires': {
    page: () => import('./webinars.tsx'),
    data: createListAddress('webinar'),
    title: 'Webinaires sur l’énergie partagée',
  },
  '/resources/webinaires/:slug': {
    page: () => import('./webinar.tsx'),
    data: createItemAddress('webinar'),
    meta: toPageMetadata,
    title: 'Webinaire',
  },
  '/resources/faq': faqRow,
  '/faq': {
    ...faqRow,
    canonical: '/resources/faq',
    title: 'Foire aux questions',
  },
  '/white-papers': {
    page: () => import('./white-papers.tsx'),
    data: createListAddress('white-paper'),
    title: 'Livres blancs sur l’énergie partagée',
  },
  '/white-papers/:slug': {
    page: () => import('./white-paper.tsx'),
    data: createItemAddress('white-paper'),
    meta: toPageMetadata,
    title: 'Livre blanc',
  },
  '/case-studies': {
    page: () => import('./case-studies.tsx'),
    data: createListAddress('case-study'),
    title: 'Études de cas d’autoconsommation collective',
  },
  '/case-studies/:slug': {
    page: () => import('./case-study.tsx'),
    data: createItemAddress('case-study'),
    meta: toPageMetadata,
    title: 'Étude de cas',
  },
  '/blog': {
    page: () => import('./blog.tsx'),
    data: createListAddress('article', '&category=blog'),
    title: 'Blog de l’énergie partagée',
  },
  '/user-guide': {
    page: () => import('./user-guide.tsx'),
    data: '/api/content/guide?size=100',
    title: 'Guide d’utilisation de Voisol',
  },
  '/user-guide/:slug': {
    page: () => import('./user-guide-page.tsx'),
    data: createItemAddress('guide'),
    meta: toPageMetadata,
    title: 'Guide',
  },
  '/api-docs': {
    page: () => import('../api-docs/api-docs.tsx'),
    data: '/api/api-docs',
    title: 'Documentation de l’API Voisol',
  },
  '/contact': {
    page: () => import('../forms/contact.tsx'),
    title: 'Contact et démonstration gratuite',
  },
  '/newsletter': {
    page: () => import('../forms/subscription.tsx'),
    title: 'La lettre de l’énergie partagée',
    noIndex: true,
  },
  '/rejoindre': {
    page: () => import('../joining/own.tsx'),
    title: 'Suivre une demande pour rejoindre une opération',
    noIndex: true,
    bare: true,
  },
  '/rejoindre/:slug': {
    page: () => import('../joining/page.tsx'),
    data: ({ params }) => `/api/join/${encodeURIComponent(params.slug ?? '')}`,
    meta: toPageMetadata,
    title: 'Rejoindre une opération',
    bare: true,
  },
  '/legal/mentions-legales': {
    page: () => import('./legal-notice.tsx'),
    data: '/api/legal-notice',
    title: 'Mentions légales',
    meta: toPageMetadata,
  },
  '/legal/cgu': createLegalRow('cgu', 'Conditions générales d’utilisation'),
  '/rgpd': createLegalRow('rgpd', 'Données personnelles'),
  '/accessibilite': createLegalRow('accessibilite', 'Accessibilité'),
} satisfies Record<string, PageRow>
