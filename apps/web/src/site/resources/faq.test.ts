import { expect, test } from 'vitest'
import { matchesSearch } from './faq.tsx'

const question = { title: 'Qu’est-ce qu’une clé de répartition ?', summary: 'La règle qui partage l’énergie.' }

test.each(['', 'cle', 'CLÉ partage', 'repartition energie'])('« %s » finds the question', (search) => {
  expect(matchesSearch(question, search)).toBe(true)
})

test('every word counts', () => {
  expect(matchesSearch(question, 'clé facture')).toBe(false)
})
