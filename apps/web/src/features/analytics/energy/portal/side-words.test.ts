import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { getOtherSideTexts, getSideTexts } from '@voisol/contract/side-texts'
import { expect, test } from 'vitest'
import { buildEnergyParts } from './month-figures.tsx'
import { relabelSeries } from './restrict-to-side.ts'

const SIDES = ['consumption', 'production'] as const
const joinTexts = (words: ReturnType<typeof getSideTexts> | ReturnType<typeof getOtherSideTexts>) =>
  Object.values(words)
    .map((word) => (typeof word === 'string' ? word : word('ce mois-ci')))
    .join('\n')

test('to whoever has nothing but a battery nothing is called a consumption or a production', () => {
  for (const side of SIDES) {
    expect(joinTexts(getSideTexts({ side, battery: true }))).not.toMatch(/consomm|produ|panneaux|surplus/i)
    expect(joinTexts(getSideTexts({ side, battery: false }))).toMatch(side === 'consumption' ? /consomm/i : /produ/i)
  }
})

test('what it gave back is told under the month, as its own', () => {
  expect(joinTexts(getOtherSideTexts({ battery: true }))).toMatch(/batterie a restitué/)
  expect(joinTexts(getOtherSideTexts({ battery: true }))).not.toMatch(/consomm|produ|toit|panneaux|surplus/i)
  expect(joinTexts(getOtherSideTexts({ battery: false }))).toMatch(/toit a produit/)
})

test('nor in the pictures, nor in the parts that make the whole', () => {
  const series = ['Énergie locale', 'Réseau', 'Surplus', 'Consommation', 'Production'].map((label) => ({
    key: label,
    label,
    role: 'local' as const,
    values: [],
  }))
  const told = SIDES.flatMap((side) =>
    relabelSeries(series, { side, battery: true }).map(({ label }) => [side, label].join(' ')),
  )
  expect(told).toContain('consumption Charge')
  expect(told).toContain('production Décharge')
  expect(told).toContain('production Sans preneur')
  expect(relabelSeries(series, { side: 'consumption', battery: false })).toBe(series)
  const totals = { allocated: 1_307, complement: 211, pendingConsumed: 0, shared: 907, surplus: 13, pendingProduced: 7 }
  const parts = (side: (typeof SIDES)[number]) =>
    buildEnergyParts(totals as PeriodEnergyTotals, { side, battery: true }).map(({ label, value }) => [label, value]) // what is read of them
  expect(parts('consumption').slice(0, 1)).toEqual([['Stocké', 1_307]])
  expect(parts('production').slice(0, 2)).toEqual([
    ['Restitué et affecté', 907],
    ['Sans preneur', 13],
  ])
})
