import type { ContentKind, ContentRow, ContentStatus, ContentVersion } from '@voisol/contract/content'
import ExternalLink from 'lucide-react/icons/external-link'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'

/** What readers see, and whether something else is waiting. */
export const ContentStatusBadges = ({ row }: { row: Pick<ContentRow, 'status' | 'hasChanges'> }) => (
  <span className="inline-flex flex-wrap items-center gap-1.5">
    <Badge tone={CONTENT_STATUS_BADGES[row.status].tone}>{CONTENT_STATUS_BADGES[row.status].label}</Badge>
    {row.hasChanges && <Badge tone="warning">Modifications non publiées</Badge>}
  </span>
)

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

const CONTENT_STATUS_BADGES: Record<ContentStatus, { label: string; tone: Tone }> = {
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

/** Opens beside the desk, so that nothing written there is left. */
export const PublicLink = ({ path, title }: { path: string; title: string }) => (
  <a href={path} target="_blank" rel="noreferrer" className="relative inline-flex min-h-6 items-center gap-1 text-link">
    <span className="max-w-52 truncate sm:max-w-64">{path}</span>
    <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
    <span className="sr-only"> ({title} sur le site, nouvel onglet)</span>
  </a>
)

/** The open content is in the address, beside the filters of the list one comes back to. */
const OPEN_PARAMS = ['contenu', 'nouveau'] as const

export function useContentNavigation() {
  const [search, setSearch] = useSearchParams()
  const to = (change: Partial<Record<(typeof OPEN_PARAMS)[number], string>>) => {
    const next = new URLSearchParams(search)
    for (const name of OPEN_PARAMS) next.delete(name)
    for (const [name, value] of Object.entries(change)) next.set(name, value)
    return `/cms-admin?${next}`.replace(/\?$/, '')
  }
  return {
    id: search.get('contenu'),
    nouveau: search.get('nouveau'),
    linkTo: (id: string) => to({ contenu: id }),
    linkToNew: (kind: string) => to({ nouveau: kind }),
    linkToList: to({}),
    /** What was new has a name now: going back must not lead to a second one. */
    settle: (id: string) =>
      setSearch(
        (old) => {
          old.delete('nouveau')
          old.set('contenu', id)
          return old
        },
        { replace: true, preventScrollReset: true },
      ),
  }
}
