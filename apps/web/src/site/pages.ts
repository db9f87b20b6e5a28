import type { ComponentType } from 'react'
import { type PagePath, paths } from './paths.ts'

/** A page of the public site, rendered on the server. */
export type Page = {
  path: PagePath
  page: () => Promise<{ default: ComponentType }>
  title: string
  description: string
  /** Read before the page is drawn; the page finds it as its loader data. */
  data?: `/api/${string}`
}

const home = () => import('./home/home.tsx')

const table: Record<PagePath, Omit<Page, 'path'>> = {
  '/': {
    page: home,
    title: 'Autoconsommation collective solaire',
    description:
      'Voisol aide copropriétés, éco-quartiers, collectivités et sites industriels à partager l’énergie de leurs toits : répartition au quart d’heure, données Enedis, facturation.',
  },
  '/home': {
    page: home,
    title: 'Accueil',
    description:
      'La plateforme française d’autoconsommation collective : répartir, suivre et facturer l’énergie solaire partagée entre voisins.',
  },
  '/platform': {
    page: () => import('./content/platform.tsx'),
    title: 'La plateforme',
    description:
      'Recevoir les courbes, les vérifier, répartir l’énergie et facturer : un mois d’autoconsommation collective sans ressaisie, avec des données protégées et hébergées en France.',
  },
  '/solutions': {
    page: () => import('./content/solutions.tsx'),
    title: 'Solutions d’autoconsommation collective',
    description:
      'Copropriété, éco-quartier ou zone d’activité : les solutions de Voisol, et un même quart d’heure solaire partagé selon quatre méthodes de répartition.',
  },
  '/solutions/collective': {
    page: () => import('./content/collective.tsx'),
    title: 'Collectivités, ZAC et éco-quartiers',
    description:
      'Bâtiments publics et habitants dans une même opération : périmètre de 2, 10 ou 20 km, limite de 5 MW, clés comparées avant la délibération.',
  },
  '/solutions/residential': {
    page: () => import('./content/residential.tsx'),
    title: 'Copropriétés, syndics et bailleurs',
    description:
      'Partager l’énergie du toit entre les logements et les parties communes : une répartition votée, un espace pour chaque habitant, une facture que l’on comprend.',
  },
  '/solutions/industrial': {
    page: () => import('./content/industrial.tsx'),
    title: 'Sites industriels et zones d’activité',
    description:
      'Vendre l’énergie de vos toitures à vos voisins plutôt qu’en surplus : priorités, prix datés, accise, factures électroniques et écritures comptables.',
  },
  '/expertise': {
    page: () => import('./content/expertise.tsx'),
    title: 'Expertise solaire, données et réglementation',
    description:
      'Conception solaire, prévision, règles de l’autoconsommation collective et science des données : ce qu’il faut savoir pour partager l’énergie avec justesse.',
  },
  '/status': {
    page: () => import('./status.tsx'),
    data: '/api/status',
    title: 'État du service',
    description:
      'La disponibilité de Voisol, mesurée en continu : site, base de données, file de tâches et messagerie.',
  },
}

export const pages: readonly Page[] = paths.map((path) => ({ path, ...table[path] }))
