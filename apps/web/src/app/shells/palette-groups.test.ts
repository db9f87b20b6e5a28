import type { SearchHit } from '@voisol/contract/search'
import { expect, test } from 'vitest'
import { buildInitialGroups, buildResultGroups } from './palette-groups.ts'

const run = () => undefined
const actions = [
  { label: 'Tableau de bord', group: 'Opérations', run },
  { label: 'Participants', group: 'Opérations', run },
  { label: 'Utilisateurs', group: 'Gestion', run },
  { label: 'Inviter un utilisateur', group: 'Actions', run, also: 'ajouter un collègue' },
  { label: 'Importer des participants', group: 'Actions', run, also: 'fichier de membres' },
]
const hit = (kind: SearchHit['kind'], title: string): SearchHit => ({
  kind,
  id: title,
  title,
  detail: '',
  to: `/${title}`,
})
const toLabels = (groups: { heading: string; entries: { label: string }[] }[]) =>
  groups.map(({ heading, entries }) => [heading, ...entries.map(({ label }) => label)])

test('without a word, what was opened last comes first', () => {
  const recent = [{ title: 'Les Lilas', detail: 'Opération', to: '/acc-operations/7' }]
  const went: string[] = []
  const groups = buildInitialGroups(actions, recent, (to) => went.push(to))
  expect(toLabels(groups)).toEqual([
    ['Ouverts récemment', 'Les Lilas'],
    ['Actions', 'Inviter un utilisateur', 'Importer des participants'],
    ['Opérations', 'Tableau de bord', 'Participants'],
    ['Gestion', 'Utilisateurs'],
  ])
  groups[0]?.entries[0]?.run()
  expect(went).toEqual(['/acc-operations/7'])
  expect(toLabels(buildInitialGroups(actions, [], run))[0]?.[0]).toBe('Actions')
})

test('actions and screens by their words, then what was found in its groups', () => {
  const hits = [hit('operation', 'Les Participants'), hit('participant', 'Éva Parti'), hit('operation', 'Particelle')]
  expect(toLabels(buildResultGroups('partici', actions, hits, run))).toEqual([
    ['Écrans', 'Participants'],
    ['Actions', 'Importer des participants'],
    ['Opérations', 'Les Participants', 'Particelle'],
    ['Participants', 'Éva Parti'],
  ])
})

test('an action is found by other words for it', () => {
  expect(toLabels(buildResultGroups('collegue', actions, [], run))).toEqual([['Actions', 'Inviter un utilisateur']])
  expect(toLabels(buildResultGroups('importer', actions, [], run))).toEqual([['Actions', 'Importer des participants']])
  expect(buildResultGroups('xylophone', actions, [], run)).toEqual([])
})
