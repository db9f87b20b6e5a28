import type { SearchHit, SearchKind } from '@voisol/contract/search'
import type { Visit } from '../../lib/recent-visits.ts'
import { computeMatchScore } from './nav.ts'

/** Something the product offers under a fixed name: a screen, or what can be done. */
export type PaletteAction = { label: string; group: string; run: () => void; also?: string }
export type PaletteItem = { key: string; label: string; detail?: string; run: () => void }
export type PaletteGroup = { heading: string; entries: PaletteItem[] }

const SEARCH_KIND_LABELS: Record<SearchKind, string> = {
  participant: 'Participants',
  point: 'Points de livraison',
  operation: 'Opérations',
  invoice: 'Factures',
  project: 'Projets',
  file: 'Fichiers',
  user: 'Utilisateurs',
  article: 'Articles',
}
export const ACTION_GROUP = 'Actions'
const SCREENS_HEADING = 'Écrans'
const RECENT_HEADING = 'Ouverts récemment'

const toPaletteItem = ({ label, group, run }: PaletteAction): PaletteItem => ({ key: `${label}\n${group}`, label, run })

function groupItems<T>(
  items: readonly T[],
  headingOf: (item: T) => string,
  entry: (item: T) => PaletteItem,
): PaletteGroup[] {
  const headings = [...new Set(items.map(headingOf))]
  return headings.map((heading) => ({
    heading,
    entries: items.filter((item) => headingOf(item) === heading).map(entry),
  }))
}

/** What one opened last, then all that is offered. */
export const buildInitialGroups = (
  actions: readonly PaletteAction[],
  recent: readonly Visit[],
  go: (to: string) => void,
): PaletteGroup[] => [
  ...groupItems(
    recent,
    () => RECENT_HEADING,
    ({ title, detail, to }) => ({ key: `recent\n${to}`, label: title, detail, run: () => go(to) }),
  ),
  ...groupItems(
    actions.filter(({ group }) => group === ACTION_GROUP),
    () => ACTION_GROUP,
    toPaletteItem,
  ),
  ...groupItems(
    actions.filter(({ group }) => group !== ACTION_GROUP),
    ({ group }) => group,
    toPaletteItem,
  ),
]

const scoreAction = ({ label, also = '' }: PaletteAction, text: string) =>
  Math.max(computeMatchScore(label, text), also ? computeMatchScore(also, text) * 0.6 : 0)

/** What can be done and opened under these words, best first, then what the server found, as it ranked it. */
export function buildResultGroups(
  text: string,
  actions: readonly PaletteAction[],
  hits: readonly SearchHit[],
  go: (to: string) => void,
): PaletteGroup[] {
  const matchingActions = actions
    .map((action) => ({ action, score: scoreAction(action, text) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ action }) => action)
  return [
    ...groupItems(
      matchingActions,
      ({ group }) => (group === ACTION_GROUP ? ACTION_GROUP : SCREENS_HEADING),
      toPaletteItem,
    ),
    ...groupItems(
      hits,
      ({ kind }) => SEARCH_KIND_LABELS[kind],
      ({ kind, id, title, detail, to }) => ({ key: `${kind}\n${id}`, label: title, detail, run: () => go(to) }),
    ),
  ]
}
