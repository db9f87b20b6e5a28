import { expect, test } from 'vitest'
import type { EnergySummary } from './energy.ts'
import { describeMonth, describeSaving } from './month-sentences.ts'
import type { OwnSide } from './own-side.ts'

const current = { consumed: 20_000, selfProduction: 0.42, selfConsumption: null, produced: 0 }
// Only what the sentence reads.
const summary = { current } as unknown as EnergySummary
const mine: OwnSide = { side: 'consumption', battery: false, points: [], where: {}, valued: true }
const month = { when: 'ce mois-ci' }

test('how am I doing, and what it saved, in one breath', () => {
  expect(describeMonth(summary, mine, month, 1800)).toBe(
    '42\u00a0% de votre électricité a été locale ce mois-ci, 18,00\u00a0€ de moins que chez votre fournisseur seul.',
  )
  expect(describeMonth(summary, mine, month)).toBe('42\u00a0% de votre électricité a été locale ce mois-ci.')
})

test('what costs more is not told as a saving, and nothing is no figure', () => {
  expect(describeSaving(-250)).toBe(', 2,50\u00a0€ de plus que chez votre fournisseur seul.')
  expect(describeSaving(0)).toBe('.')
  expect(describeSaving(undefined)).toBe('.')
})

test('before anything was shared, the whole is told', () => {
  const before = { current: { ...current, selfProduction: null } } as unknown as EnergySummary // as above
  expect(describeMonth(before, mine, month)).toMatch(/^20.*consommés ce mois-ci\.$/)
})
