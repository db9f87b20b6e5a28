import type { ComponentType } from 'react'
import type { PageMetadata } from '../lib/metadata.ts'
import { contentRows } from './content/rows.ts'
import type { DataAddress } from './page-data.ts'
import { type PagePath, paths } from './paths.ts'
import { resourceRows } from './resources/rows.ts'

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

export type PageRow = Omit<Page, 'path'>

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
