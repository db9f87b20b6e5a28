import { expect, test } from 'vitest'
import { matches } from './faq.tsx'

const question = { title: 'Qu’est-ce qu’une clé de répartition ?', summary: 'La règle qui partage l’énergie.' }

test.each(['', 'cle', 'CLÉ partage', 'repartition energie'])('« %s » finds the question', (search) => {
  expect(matches(question, search)).toBe(true)
})

test('every word counts', () => {
  expect(matches(question, 'clé facture')).toBe(false)
})
