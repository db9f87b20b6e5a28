import type { Totals } from '@voisol/contract/energy'
import { otherSideOf, wordsOf } from '@voisol/contract/side-words'
import { expect, test } from 'vitest'
import { partsOf } from './figures.ts'
import { named } from './sided.ts'

const SIDES = ['consumption', 'production'] as const
const textOf = (words: ReturnType<typeof wordsOf> | ReturnType<typeof otherSideOf>) =>
  Object.values(words)
    .map((word) => (typeof word === 'string' ? word : word('ce mois-ci')))
    .join('\n')

test('to whoever has nothing but a battery nothing is called a consumption or a production', () => {
  for (const side of SIDES) {
    expect(textOf(wordsOf({ side, battery: true }))).not.toMatch(/consomm|produ|panneaux|surplus/i)
    expect(textOf(wordsOf({ side, battery: false }))).toMatch(side === 'consumption' ? /consomm/i : /produ/i)
  }
})

test('what it gave back is told under the month, as its own', () => {
  expect(textOf(otherSideOf({ battery: true }))).toMatch(/batterie a restitué/)
  expect(textOf(otherSideOf({ battery: true }))).not.toMatch(/consomm|produ|toit|panneaux|surplus/i)
  expect(textOf(otherSideOf({ battery: false }))).toMatch(/toit a produit/)
})

test('nor in the pictures, nor in the parts that make the whole', () => {
  const series = ['Énergie locale', 'Réseau', 'Surplus', 'Consommation', 'Production'].map((label) => ({
    key: label,
    label,
    role: 'local' as const,
    values: [],
  }))
  const told = SIDES.flatMap((side) =>
    named(series, { side, battery: true }).map(({ label }) => [side, label].join(' ')),
  )
  expect(told).toContain('consumption Charge')
  expect(told).toContain('production Décharge')
  expect(told).toContain('production Sans preneur')
  expect(named(series, { side: 'consumption', battery: false })).toBe(series)
  const totals = { allocated: 1_307, complement: 211, pendingConsumed: 0, shared: 907, surplus: 13, pendingProduced: 7 }
  const parts = (side: (typeof SIDES)[number]) =>
    partsOf(totals as Totals, { side, battery: true }).map(({ label, value }) => [label, value]) // what is read of them
  expect(parts('consumption').slice(0, 1)).toEqual([['Stocké', 1_307]])
  expect(parts('production').slice(0, 2)).toEqual([
    ['Restitué et affecté', 907],
    ['Sans preneur', 13],
  ])
})
