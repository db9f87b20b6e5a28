import { expect, test } from 'vitest'
import { formatBreadcrumb, truncateAtWord } from './previews.tsx'

test('a text that fits stays whole, a longer one ends on a whole word', () => {
  expect(truncateAtWord('  Un titre court  ', 60)).toBe('Un titre court')
  expect(truncateAtWord('Partager l’énergie solaire entre voisins, simplement', 30)).toBe('Partager l’énergie solaire…')
  expect(truncateAtWord('Partager l’énergie entre voisins, simplement', 36)).toBe('Partager l’énergie entre voisins…')
  expect([...truncateAtWord('a'.repeat(100), 60)]).toHaveLength(60)
  expect(truncateAtWord('☀️'.repeat(10), 60)).toBe('☀️'.repeat(10))
})

test('an address is shown as its parts', () => {
  expect(formatBreadcrumb('voisol.fr', '/solutions/collective')).toBe('voisol.fr › solutions › collective')
  expect(formatBreadcrumb('voisol.fr', '/')).toBe('voisol.fr')
})
