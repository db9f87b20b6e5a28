import { isKnownPath, TRIAL_PATH } from './links.ts'

export type SiteMenuLink = { label: string; href: string; text?: string }
export type SiteMenuEntry = SiteMenuLink & { children: SiteMenuLink[] }

/** The header, complete; only what exists is shown. */
const headerMenu: SiteMenuEntry[] = [
  { label: 'Accueil', href: '/', children: [] },
  {
    label: 'Plateforme',
    href: '/platform',
    children: [
      { label: 'Fonctionnalités', href: '/features', text: 'Tout ce que fait Voisol, module par module' },
      { label: 'Tarifs', href: '/pricing', text: 'Trois formules, trente jours d’essai' },
      { label: 'Documentation de l’API', href: '/api-docs', text: 'Authentification, opérations, données, webhooks' },
      { label: 'Sécurité', href: '/platform#security', text: 'Accès, chiffrement, traçabilité, hébergement' },
    ],
  },
  {
    label: 'Solutions',
    href: '/solutions',
    children: [
      { label: 'Collectif', href: '/solutions/collective', text: 'Collectivités, ZAC et éco-quartiers' },
      { label: 'Résidentiel', href: '/solutions/residential', text: 'Copropriétés, syndics et bailleurs' },
      { label: 'Industriel', href: '/solutions/industrial', text: 'Sites industriels et zones d’activité' },
      {
        label: 'Gestion intelligente',
        href: '/platform#intelligent-management',
        text: 'De la donnée au partage, sans tableur',
      },
      { label: 'Analyses et prédictions', href: '/platform#analytics', text: 'Comprendre hier, prévoir demain' },
    ],
  },
  { label: 'Expertise', href: '/expertise', children: [] },
  {
    label: 'Ressources',
    href: '/resources',
    children: [
      { label: 'Guide d’utilisation', href: '/user-guide' },
      { label: 'Questions fréquentes', href: '/faq' },
      { label: 'Livres blancs', href: '/white-papers' },
      { label: 'Études de cas', href: '/case-studies' },
      { label: 'Blog', href: '/blog' },
      { label: 'Support', href: '/support' },
    ],
  },
  { label: 'Contact', href: '/contact', children: [] },
]

type FooterColumn = { title: string; links: SiteMenuLink[] }
/** The footer, complete; only what exists is shown. */
const footerMenu: FooterColumn[] = [
  {
    title: 'Produit',
    links: [
      { label: 'Fonctionnalités', href: '/features' },
      { label: 'Solutions', href: '/solutions' },
      { label: 'Autoconsommation collective', href: '/solutions/autoconsommation-collective' },
      { label: 'Tarifs', href: '/pricing' },
      { label: 'Documentation de l’API', href: '/api-docs' },
      { label: 'Expertise', href: '/expertise' },
    ],
  },
  {
    title: 'Ressources',
    links: [
      { label: 'Documentation', href: '/resources/documentation' },
      { label: 'Guides', href: '/resources/guides' },
      { label: 'Actualités', href: '/resources/actualites' },
      { label: 'Questions fréquentes', href: '/resources/faq' },
    ],
  },
  {
    title: 'Entreprise',
    links: [
      { label: 'À propos', href: '/about' },
      { label: 'Équipe', href: '/about#team' },
      { label: 'Partenaires', href: '/partners' },
      { label: 'Contact', href: '/contact' },
    ],
  },
  {
    title: 'Confiance',
    links: [
      { label: 'Sécurité', href: '/platform#security' },
      { label: 'État du service', href: '/status' },
      { label: 'Mentions légales', href: '/legal/mentions-legales' },
      { label: 'Données personnelles', href: '/rgpd' },
      { label: 'Conditions d’utilisation', href: '/legal/cgu' },
    ],
  },
]

const isShown = ({ href }: SiteMenuLink) => isKnownPath(href)

export const getHeaderEntries = (): SiteMenuEntry[] =>
  headerMenu.filter(isShown).map((entry) => ({ ...entry, children: entry.children.filter(isShown) }))

export const getFooterColumns = (): FooterColumn[] =>
  footerMenu
    .map(({ title, links }) => ({ title, links: links.filter(isShown) }))
    .filter(({ links }) => links.length > 0)

/** Until a demonstration can be asked for, the trial takes its place. */
export const getMainAction = (): SiteMenuLink =>
  isKnownPath('/contact') ? { label: 'Démo gratuite', href: '/contact' } : { label: 'Essai gratuit', href: TRIAL_PATH }

/** An entry is active when the path starts with its address; the home page only exactly. */
export const isActiveEntry = (pathname: string, href: string) =>
  href === '/' ? pathname === '/' : pathname.startsWith(href)
