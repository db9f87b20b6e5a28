import { expect, test } from 'vitest'
import type { Summary } from './energy.ts'
import { monthSentence, savedWords } from './month-words.ts'
import type { Mine } from './my-side.ts'

const current = { consumed: 20_000, selfProduction: 0.42, selfConsumption: null, produced: 0 }
// Only what the sentence reads.
const summary = { current } as unknown as Summary
const mine: Mine = { side: 'consumption', battery: false, points: [], where: {}, valued: true }
const month = { when: 'ce mois-ci' }

test('how am I doing, and what it saved, in one breath', () => {
  expect(monthSentence(summary, mine, month, 1800)).toBe(
    '42\u00a0% de votre électricité a été locale ce mois-ci, 18,00\u00a0€ de moins que chez votre fournisseur seul.',
  )
  expect(monthSentence(summary, mine, month)).toBe('42\u00a0% de votre électricité a été locale ce mois-ci.')
})

test('what costs more is not told as a saving, and nothing is no figure', () => {
  expect(savedWords(-250)).toBe(', 2,50\u00a0€ de plus que chez votre fournisseur seul.')
  expect(savedWords(0)).toBe('.')
  expect(savedWords(undefined)).toBe('.')
})

test('before anything was shared, the whole is told', () => {
  const before = { current: { ...current, selfProduction: null } } as unknown as Summary // as above
  expect(monthSentence(before, mine, month)).toMatch(/^20.*consommés ce mois-ci\.$/)
})
