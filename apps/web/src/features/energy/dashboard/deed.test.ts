import { endpoints } from '@voisol/contract'
import { expect, test } from 'vitest'
import { deedOf, pastOf } from './deed.ts'

test('what somebody did is told in the past, with its subject', () => {
  const by = (label: string, outcome: 'done' | 'refused' = 'done') => deedOf({ actor: 'Claire Martin', label, outcome })
  expect(by('Importer des courbes')).toBe('Claire Martin a importé des courbes')
  expect(by('Reprendre une version')).toBe('Claire Martin a repris une version')
  expect(by('Se connecter')).toBe('Claire Martin s’est connecté')
  expect(by('Tout marquer comme lu')).toBe('Claire Martin a tout marqué comme lu')
  expect(by('Créer une opération', 'refused')).toBe('Claire Martin n’a pas pu créer une opération')
  expect(by('Entrées ou sorties groupées')).toBe('Claire Martin\u00a0: entrées ou sorties groupées')
})

test('nearly every deed of the contract can be told so', () => {
  const deeds = endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'public')
  const untold = deeds.map(({ summary }) => summary).filter((summary) => pastOf(summary) === undefined)
  expect(untold.length / deeds.length).toBeLessThan(0.05)
})
