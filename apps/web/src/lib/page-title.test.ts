import { expect, test } from 'vitest'
import { buildScreenTitle } from './page-title.ts'

test('a title names what is shown, the nearest first', () => {
  expect(buildScreenTitle('Opération', { object: 'Les Lilas' })).toBe('Les Lilas – Opération')
  expect(buildScreenTitle('Ma consommation', { title: 'Charge de ma batterie' })).toBe('Charge de ma batterie')
  expect(buildScreenTitle('Participants', { parent: 'Les Lilas' })).toBe('Participants – Les Lilas')
  expect(buildScreenTitle('Participants', { parent: 'Les Lilas', open: 'Éloïse Lefèvre' })).toBe(
    'Éloïse Lefèvre – Participants – Les Lilas',
  )
  expect(buildScreenTitle('Courbe d’un point', { object: 'Appartement 12', parent: 'Les Lilas' })).toBe(
    'Appartement 12 – Courbe d’un point',
  )
  expect(buildScreenTitle('Paramètres', {})).toBe('Paramètres')
  expect(buildScreenTitle(undefined, { object: 'Les Lilas' })).toBeUndefined()
})
