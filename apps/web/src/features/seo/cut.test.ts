import { expect, test } from 'vitest'
import { crumbsOf, cut } from './cut.ts'

test('a text that fits stays whole, a longer one ends on a whole word', () => {
  expect(cut('  Un titre court  ', 60)).toBe('Un titre court')
  expect(cut('Partager l’énergie solaire entre voisins, simplement', 30)).toBe('Partager l’énergie solaire…')
  expect(cut('Partager l’énergie entre voisins, simplement', 36)).toBe('Partager l’énergie entre voisins…')
  expect([...cut('a'.repeat(100), 60)]).toHaveLength(60)
  expect(cut('☀️'.repeat(10), 60)).toBe('☀️'.repeat(10))
})

test('an address is shown as its parts', () => {
  expect(crumbsOf('voisol.fr', '/solutions/collective')).toBe('voisol.fr › solutions › collective')
  expect(crumbsOf('voisol.fr', '/')).toBe('voisol.fr')
})
