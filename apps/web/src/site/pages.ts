import type { ContentCard } from '@voisol/contract/content'
import type { ComponentType } from 'react'
import type { LoaderFunctionArgs, Params } from 'react-router'
import type { PageMetadata } from '../lib/metadata.ts'
import { type PagePath, paths } from './paths.ts'
import { CONTENT_PAGE_SIZE } from './resources/page-size.ts'

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
  page: () => import('./resources/faq.tsx'),
  data: '/api/content/faq?size=100',
  title: 'Questions fréquentes sur l’autoconsommation',
}
const documentationRow: PageRow = {
  page: () => import('./resources/documentation.tsx'),
  title: 'Documentation de la plateforme',
}
const createLegalRow = (slug: string, title: string): PageRow => ({
  page: () => import('./resources/legal.tsx'),
  data: `/api/content/page/${slug}`,
  title,
  meta: toPageMetadata,
})

const resourceRows = {
  '/resources': {
    page: () => import('./resources/hub.tsx'),
    title: 'Ressources pour partager l’énergie solaire',
  },
  '/resources/documentation': documentationRow,
  '/documentation': {
    ...documentationRow,
    canonical: '/resources/documentation',
    title: 'Documentation de Voisol',
  },
  '/resources/guides': {
    page: () => import('./resources/guides.tsx'),
    data: createListAddress('guide', '&category=pratiques'),
    title: 'Guides pratiques de l’autoconsommation',
  },
  '/resources/guides/:slug': {
    page: () => import('./resources/practical-guide.tsx'),
    data: createItemAddress('guide'),
    meta: toPageMetadata,
    title: 'Guide pratique',
  },
  '/resources/actualites': {
    page: () => import('./resources/articles.tsx'),
    data: createListAddress('article', '&category=actualites'),
    title: 'Actualités de l’autoconsommation collective',
  },
  '/resources/actualites/:slug': {
    page: () => import('./resources/article.tsx'),
    data: createItemAddress('article'),
    meta: toPageMetadata,
    title: 'Article',
  },
  '/resources/webinaires': {
    page: () => import('./resources/webinars.tsx'),
    data: createListAddress('webinar'),
    title: 'Webinaires sur l’énergie partagée',
  },
  '/resources/webinaires/:slug': {
    page: () => import('./resources/webinar.tsx'),
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
    page: () => import('./resources/white-papers.tsx'),
    data: createListAddress('white-paper'),
    title: 'Livres blancs sur l’énergie partagée',
  },
  '/white-papers/:slug': {
    page: () => import('./resources/white-paper.tsx'),
    data: createItemAddress('white-paper'),
    meta: toPageMetadata,
    title: 'Livre blanc',
  },
  '/case-studies': {
    page: () => import('./resources/case-studies.tsx'),
    data: createListAddress('case-study'),
    title: 'Études de cas d’autoconsommation collective',
  },
  '/case-studies/:slug': {
    page: () => import('./resources/case-study.tsx'),
    data: createItemAddress('case-study'),
    meta: toPageMetadata,
    title: 'Étude de cas',
  },
  '/blog': {
    page: () => import('./resources/blog.tsx'),
    data: createListAddress('article', '&category=blog'),
    title: 'Blog de l’énergie partagée',
  },
  '/user-guide': {
    page: () => import('./resources/user-guide.tsx'),
    data: '/api/content/guide?size=100',
    title: 'Guide d’utilisation de Voisol',
  },
  '/user-guide/:slug': {
    page: () => import('./resources/user-guide-page.tsx'),
    data: createItemAddress('guide'),
    meta: toPageMetadata,
    title: 'Guide',
  },
  '/api-docs': {
    page: () => import('./api-docs/api-docs.tsx'),
    data: '/api/api-docs',
    title: 'Documentation de l’API Voisol',
  },
  '/contact': {
    page: () => import('./forms/contact.tsx'),
    title: 'Contact et démonstration gratuite',
  },
  '/newsletter': {
    page: () => import('./forms/subscription.tsx'),
    title: 'La lettre de l’énergie partagée',
    noIndex: true,
  },
  '/rejoindre': {
    page: () => import('./joining/own-application.tsx'),
    title: 'Suivre une demande pour rejoindre une opération',
    noIndex: true,
    bare: true,
  },
  '/rejoindre/:slug': {
    page: () => import('./joining/join-page.tsx'),
    data: ({ params }) => `/api/join/${encodeURIComponent(params.slug ?? '')}`,
    meta: toPageMetadata,
    title: 'Rejoindre une opération',
    bare: true,
  },
  '/legal/mentions-legales': {
    page: () => import('./resources/legal-notice.tsx'),
    data: '/api/legal-notice',
    title: 'Mentions légales',
    meta: toPageMetadata,
  },
  '/legal/cgu': createLegalRow('cgu', 'Conditions générales d’utilisation'),
  '/rgpd': createLegalRow('rgpd', 'Données personnelles'),
  '/accessibilite': createLegalRow('accessibilite', 'Accessibilité'),
} satisfies Record<string, PageRow>

/** The pages that say what Voisol is, for whom, and for how much. */
const contentRows = {
  '/pricing': {
    page: () => import('./content/pricing.tsx'),
    title: 'Tarifs : trois formules, 30 jours d’essai',
  },
  '/features': {
    page: () => import('./content/features.tsx'),
    title: 'Fonctionnalités : répartir, mesurer, étudier',
  },
  '/solutions/autoconsommation-collective': {
    page: () => import('./content/self-consumption.tsx'),
    title: 'L’autoconsommation collective expliquée',
  },
  '/solutions/optimisation-energetique': {
    page: () => import('./content/optimisation.tsx'),
    title: 'Optimisation énergétique : moins de surplus',
  },
  '/solutions/gestion-intelligente': {
    page: () => import('./content/management.tsx'),
    title: 'Gestion intelligente d’une opération',
  },
  '/solutions/analytics-predictions': {
    page: () => import('./content/analytics.tsx'),
    title: 'Analyses et prédictions de production',
  },
  '/solutions/sur-mesure': {
    page: () => import('./content/bespoke.tsx'),
    title: 'Solutions sur mesure et cas particuliers',
  },
  '/solutions-commerciales': {
    page: () => import('./content/commercial.tsx'),
    title: 'Solutions commerciales : offres et étapes',
  },
  '/expertise/conception': {
    page: () => import('./content/design.tsx'),
    title: 'Conception solaire : la bonne puissance',
  },
  '/expertise/reglementaire': {
    page: () => import('./content/regulatory.tsx'),
    title: 'Réglementation : articles, taux et dates',
  },
  '/expertise/intelligence-artificielle': {
    page: () => import('./content/artificial-intelligence.tsx'),
    title: 'Intelligence artificielle et prévision',
  },
  '/expertise/data-science': {
    page: () => import('./content/data-science.tsx'),
    title: 'Science des données : chaque quart d’heure',
  },
  '/about': {
    page: () => import('./content/about.tsx'),
    title: 'À propos : les comptes du soleil',
  },
  '/careers': {
    page: () => import('./content/careers.tsx'),
    title: 'Carrières : travailler chez Voisol',
  },
  '/partners': {
    page: () => import('./content/partners.tsx'),
    title: 'Partenaires et intégrations de Voisol',
  },
} satisfies Record<string, PageRow>

/** A page of the public site, rendered on the server. */
export type Page = {
  path: PagePath
  page: () => Promise<{ default: ComponentType }>
  title: string
  /** Read before the page is drawn; the page finds it as its loader data. */
  data?: DataAddress
  /** Of a page whose title is in its data; without data there is no such page. */
  meta?: (data: unknown) => PageMetadata | null
  /** Around it stands nothing of the site: the page is an organiser's own. */
  bare?: true
  /** Not for search engines. */
  noIndex?: true
  /** The first address of a page that has two, for search engines. */
  canonical?: PagePath
}

type PageRow = Omit<Page, 'path'>

const home = () => import('./home/home.tsx')

const table: Record<PagePath, PageRow> = {
  ...contentRows,
  ...resourceRows,
  '/': {
    page: home,
    title: 'Autoconsommation collective solaire',
  },
  '/home': {
    page: home,
    canonical: '/',
    title: 'Accueil : l’énergie solaire partagée',
  },
  '/platform': {
    page: () => import('./content/platform.tsx'),
    title: 'La plateforme, de la courbe au partage',
  },
  '/solutions': {
    page: () => import('./content/solutions.tsx'),
    title: 'Solutions d’autoconsommation collective',
  },
  '/solutions/collective': {
    page: () => import('./content/collective.tsx'),
    title: 'Collectivités, ZAC et éco-quartiers',
  },
  '/solutions/residential': {
    page: () => import('./content/residential.tsx'),
    title: 'Copropriétés, syndics et bailleurs',
  },
  '/solutions/industrial': {
    page: () => import('./content/industrial.tsx'),
    title: 'Sites industriels et zones d’activité',
  },
  '/expertise': {
    page: () => import('./content/expertise.tsx'),
    title: 'Expertise solaire, données et réglementation',
  },
  '/test-nav': {
    // The page lists the table it belongs to: it is given it rather than importing it.
    page: async () => ({ default: (await import('./test-nav.tsx')).createTestNavPage(pages) }),
    noIndex: true,
    title: 'Toutes les pages publiques du site',
  },
  '/status': {
    page: () => import('./status.tsx'),
    data: '/api/status',
    title: 'État du service et disponibilité',
  },
}

export const pages: readonly Page[] = paths.map((path) => ({ path, ...table[path] }))

type ReaderContext = { read?: (path: string) => Promise<unknown> }
/** The address of a public endpoint, or how it follows from the page's own address. */
type DataAddress = `/api/${string}` | ((at: { params: Params; search: URLSearchParams }) => string)

/** Null says that the answer could not be had; the page tells it in words. */
export const createPageLoader =
  (address: DataAddress) =>
  async ({ context, params, request }: LoaderFunctionArgs<ReaderContext | undefined>): Promise<unknown> => {
    try {
      const search = new URL(request.url).searchParams
      const path = typeof address === 'string' ? address : address({ params, search })
      if (context && 'read' in context && context.read) return await context.read(path)
      const response = await fetch(path)
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
