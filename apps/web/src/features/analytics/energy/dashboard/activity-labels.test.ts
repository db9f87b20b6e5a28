import { endpoints } from '@voisol/contract'
import { EVENTS } from '@voisol/contract/events'
import { expect, test } from 'vitest'
import { describeActivity, toPastTense } from './activity-labels.ts'

test('what somebody did is told in the past, with its subject', () => {
  const by = (label: string, outcome: 'done' | 'refused' = 'done') =>
    describeActivity({ actorName: 'Claire Martin', label, outcome })
  expect(by('Importer des courbes')).toBe('Claire Martin a importé des courbes')
  expect(by('Reprendre une version')).toBe('Claire Martin a repris une version')
  expect(by('Se connecter')).toBe('Claire Martin s’est connecté')
  expect(by('Tout marquer comme lu')).toBe('Claire Martin a tout marqué comme lu')
  expect(by('Créer une opération', 'refused')).toBe('Claire Martin n’a pas pu créer une opération')
  expect(by('Entrées ou sorties groupées')).toBe('Claire Martin\u00a0: entrées ou sorties groupées')
})

test('a task is called by its name, not by its code', () => {
  const entry = { actorName: 'Tâche\u00a0: Calcul d’une répartition', label: 'Répartition terminée' }
  expect(describeActivity({ ...entry, outcome: 'done' })).toBe('Calcul d’une répartition\u00a0: répartition terminée')
})

test('verbs that share their object are told alike, and a thing is no deed', () => {
  expect(toPastTense('Créer ou renouveler le jeton')).toBe('a créé ou renouvelé le jeton')
  expect(toPastTense('Annoncer, publier ou réviser un indice')).toBe('a annoncé, publié ou révisé un indice')
  expect(toPastTense('Suspendre ou reprendre une connexion')).toBe('a suspendu ou repris une connexion')
  expect(toPastTense('S’abonner à la lettre')).toBe('s’est abonné à la lettre')
  expect(toPastTense('Revenir au référencement d’origine')).toBe('est revenu au référencement d’origine')
  expect(toPastTense('Fichier de courbes à vérifier')).toBeUndefined()
  expect(toPastTense('Placer un point ou une batterie')).toBe('a placé un point ou une batterie')
})

test('every deed of the contract can be told so, and none keeps half of it as an order', () => {
  const told = endpoints
    .filter(({ method }) => method !== 'GET')
    .map(({ summary }) => toPastTense(summary) ?? `? ${summary}`)
  expect(
    told.filter((deed) => deed.startsWith('?') || /(?:,|\bou\b)(?: (?:ne|plus|y|en|l[ae]s?))* [a-zéè]+er\b/.test(deed)),
  ).toEqual([])
})

test('of what happened, nothing is told as somebody’s deed', () => {
  expect(Object.values(EVENTS).filter(({ label }) => toPastTense(label) !== undefined)).toEqual([])
})
