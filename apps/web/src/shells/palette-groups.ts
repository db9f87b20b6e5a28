import type { SearchHit, SearchKind } from '@voisol/contract/search'
import type { Visit } from '../lib/recent.ts'
import { matchScore } from './nav.ts'

/** Something the product offers under a fixed name: a screen, or what can be done. */
export type Action = { label: string; group: string; run: () => void; also?: string }
export type Entry = { key: string; label: string; detail?: string; run: () => void }
export type Group = { heading: string; entries: Entry[] }

const KINDS: Record<SearchKind, string> = {
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
const SCREENS = 'Écrans'
const RECENT = 'Ouverts récemment'

const entryOf = ({ label, group, run }: Action): Entry => ({ key: `${label}\n${group}`, label, run })

function grouped<T>(items: readonly T[], headingOf: (item: T) => string, entry: (item: T) => Entry): Group[] {
  const headings = [...new Set(items.map(headingOf))]
  return headings.map((heading) => ({
    heading,
    entries: items.filter((item) => headingOf(item) === heading).map(entry),
  }))
}

/** What one opened last, then all that is offered. */
export const startingGroups = (
  actions: readonly Action[],
  recent: readonly Visit[],
  go: (to: string) => void,
): Group[] => [
  ...grouped(
    recent,
    () => RECENT,
    ({ title, detail, to }) => ({ key: `recent\n${to}`, label: title, detail, run: () => go(to) }),
  ),
  ...grouped(
    actions.filter(({ group }) => group === ACTION_GROUP),
    () => ACTION_GROUP,
    entryOf,
  ),
  ...grouped(
    actions.filter(({ group }) => group !== ACTION_GROUP),
    ({ group }) => group,
    entryOf,
  ),
]

const scoreOf = ({ label, also = '' }: Action, text: string) =>
  Math.max(matchScore(label, text), also ? matchScore(also, text) * 0.6 : 0)

/** What can be done and opened under these words, best first, then what the server found, as it ranked it. */
export function foundGroups(
  text: string,
  actions: readonly Action[],
  hits: readonly SearchHit[],
  go: (to: string) => void,
): Group[] {
  const meant = actions
    .map((action) => ({ action, score: scoreOf(action, text) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ action }) => action)
  return [
    ...grouped(meant, ({ group }) => (group === ACTION_GROUP ? ACTION_GROUP : SCREENS), entryOf),
    ...grouped(
      hits,
      ({ kind }) => KINDS[kind],
      ({ kind, id, title, detail, to }) => ({ key: `${kind}\n${id}`, label: title, detail, run: () => go(to) }),
    ),
  ]
}
