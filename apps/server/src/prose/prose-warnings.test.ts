import { describe, expect, test } from 'vitest'
import { computeReadingMinutes, countProseWords, countWords, listProseWarnings } from './inspect-prose.ts'
import { parseProseWithFaults } from './parse-prose.ts'

const warn = (markdown: string) =>
  listProseWarnings(parseProseWithFaults(markdown), (path) => path === '/contact' || path === '/product/a.png')

describe('warnings for the editor', () => {
  test.each([
    ['', 'Le texte est vide.'],
    ['![](/product/a.png)', 'texte de remplacement'],
    ['![a](/product/b.png)', 'n’existe plus'],
    ['[a](/nulle-part)', '«\u00a0/nulle-part\u00a0» ne mène à aucune page'],
    ['[a](#absente)', '«\u00a0#absente\u00a0» ne mène à aucune page'],
    ['## a\n\n#### b', 'niveau de titre est sauté'],
    ['### a', 'niveau de titre est sauté'],
    ['## a\n\n### b\n\n#### c\n\n##### d', 'Trois niveaux'],
    [':::note', 'n’est pas fermé'],
    ['<b>a</b>', 'HTML'],
    ['[a](javascript:b)', 'est retiré'],
  ])('%j', (markdown, expected) => {
    expect(warn(markdown)).toEqual([expect.stringContaining(expected)])
  })

  test('a text without a fault has no warning', () => {
    expect(
      warn('## Un titre\n\n### Deux\n\n[ici](#deux) [là](/contact) [loin](https://a.fr)\n\n![a](/product/a.png)'),
    ).toEqual([])
  })
})

test('words are counted without punctuation; reading time is at least one minute', () => {
  expect(countWords('L’énergie «\u00a0partagée\u00a0»\u00a0: 12\u202f000 kWh — ici')).toBe(6)
  expect(countProseWords(parseProseWithFaults('## Un titre\n\n- deux mots\n\n:::note Encore\nun\n:::').blocks)).toBe(6)
  expect([0, 1, 200, 201, 1000].map(computeReadingMinutes)).toEqual([1, 1, 1, 2, 5])
})
