import type { PageRow } from '../pages.ts'

/** The pages that say what Voisol is, for whom, and for how much. */
export const contentRows = {
  '/pricing': {
    page: () => import('./pricing.tsx'),
    title: 'Tarifs : trois formules, 30 jours d’essai',
  },
  '/features': {
    page: () => import('./features.tsx'),
    title: 'Fonctionnalités : répartir, mesurer, étudier',
  },
  '/solutions/autoconsommation-collective': {
    page: () => import('./self-consumption.tsx'),
    title: 'L’autoconsommation collective expliquée',
  },
  '/solutions/optimisation-energetique': {
    page: () => import('./optimisation.tsx'),
    title: 'Optimisation énergétique : moins de surplus',
  },
  '/solutions/gestion-intelligente': {
    page: () => import('./management.tsx'),
    title: 'Gestion intelligente d’une opération',
  },
  '/solutions/analytics-predictions': {
    page: () => import('./analytics.tsx'),
    title: 'Analyses et prédictions de production',
  },
  '/solutions/sur-mesure': {
    page: () => import('./bespoke.tsx'),
    title: 'Solutions sur mesure et cas particuliers',
  },
  '/solutions-commerciales': {
    page: () => import('./commercial.tsx'),
    title: 'Solutions commerciales : offres et étapes',
  },
  '/expertise/conception': {
    page: () => import('./design.tsx'),
    title: 'Conception solaire : la bonne puissance',
  },
  '/expertise/reglementaire': {
    page: () => import('./regulatory.tsx'),
    title: 'Réglementation : articles, taux et dates',
  },
  '/expertise/intelligence-artificielle': {
    page: () => import('./artificial-intelligence.tsx'),
    title: 'Intelligence artificielle et prévision',
  },
  '/expertise/data-science': {
    page: () => import('./data-science.tsx'),
    title: 'Science des données : chaque quart d’heure',
  },
  '/about': {
    page: () => import('./about.tsx'),
    title: 'À propos : les comptes du soleil',
  },
  '/careers': {
    page: () => import('./careers.tsx'),
    title: 'Carrières : travailler chez Voisol',
  },
  '/partners': {
    page: () => import('./partners.tsx'),
    title: 'Partenaires et intégrations de Voisol',
  },
} satisfies Record<string, PageRow>
