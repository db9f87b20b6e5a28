import { expect, test } from 'vitest'
import { titleWith } from './shown.ts'

test('a title names what is shown, the nearest first', () => {
  expect(titleWith('Opération', { object: 'Les Lilas' })).toBe('Les Lilas – Opération')
  expect(titleWith('Ma consommation', { title: 'Charge de ma batterie' })).toBe('Charge de ma batterie')
  expect(titleWith('Participants', { parent: 'Les Lilas' })).toBe('Participants – Les Lilas')
  expect(titleWith('Participants', { parent: 'Les Lilas', open: 'Éloïse Lefèvre' })).toBe(
    'Éloïse Lefèvre – Participants – Les Lilas',
  )
  expect(titleWith('Courbe d’un point', { object: 'Appartement 12', parent: 'Les Lilas' })).toBe(
    'Appartement 12 – Courbe d’un point',
  )
  expect(titleWith('Paramètres', {})).toBe('Paramètres')
  expect(titleWith(undefined, { object: 'Les Lilas' })).toBeUndefined()
})
