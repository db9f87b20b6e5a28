import type { ContentKind, ContentStatus, ContentVersion } from '@voisol/contract/content'
import type { z } from 'zod'
import type { Tone } from '../../ui/badge.tsx'

/** A page has an address that the site knows beforehand: it is edited, never added. */
export const CONTENT_KINDS: Record<ContentKind, { label: string; what: string }> = {
  article: { label: 'Article', what: 'Une actualité ou un billet du blog.' },
  webinar: { label: 'Webinaire', what: 'Une séance à une date, avec inscription.' },
  'white-paper': { label: 'Livre blanc', what: 'Un dossier long, téléchargé en PDF.' },
  'case-study': { label: 'Étude de cas', what: 'Une opération racontée, du besoin au résultat.' },
  faq: { label: 'Question fréquente', what: 'Une question et sa réponse, lues dans la foire aux questions.' },
  guide: { label: 'Guide', what: 'Un mode d’emploi du produit, ou un guide pratique.' },
  page: { label: 'Page légale', what: 'Mentions légales, conditions, données personnelles, accessibilité.' },
}
export const contentKindOptions = Object.entries(CONTENT_KINDS).map(([value, { label }]) => ({ value, label }))
export const CREATABLE_CONTENT_KINDS = ['article', 'webinar', 'white-paper', 'case-study', 'faq', 'guide'] as const

export const CONTENT_STATUS_BADGES: Record<ContentStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Brouillon', tone: 'neutral' },
  scheduled: { label: 'Programmé', tone: 'info' },
  published: { label: 'En ligne', tone: 'success' },
  archived: { label: 'Retiré', tone: 'warning' },
}
export const contentStatusOptions = Object.entries(CONTENT_STATUS_BADGES).map(([value, { label }]) => ({
  value,
  label,
}))

const CATEGORY_LABELS: Record<string, string> = {
  actualites: 'Actualités',
  blog: 'Blog',
  webinaires: 'Webinaires',
  'livres-blancs': 'Livres blancs',
  residential: 'Résidentiel',
  collective: 'Collectif',
  industrial: 'Industriel',
  comprendre: 'Comprendre',
  participer: 'Participer',
  argent: 'L’argent',
  donnees: 'Données',
  plateforme: 'La plateforme',
  'premiers-pas': 'Premiers pas',
  operations: 'Opérations et participants',
  repartition: 'Répartition',
  portail: 'Portail client',
  pratiques: 'Guides pratiques',
  legal: 'Pages légales',
}
export const getCategoryLabel = (category: string) => CATEGORY_LABELS[category] ?? category

export const VERSION_EVENT_LABELS: Record<z.infer<typeof ContentVersion>['event'], string> = {
  created: 'Créé',
  saved: 'Enregistré',
  published: 'Publié',
  scheduled: 'Programmé',
  unpublished: 'Retiré du site',
  restored: 'Version reprise',
}
