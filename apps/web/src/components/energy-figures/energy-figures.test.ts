import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { buildEnergyLines, buildStorageLines, chooseComparisonBase, computeChange } from './energy-figures.tsx'

const totals = (more: Partial<PeriodEnergyTotals> = {}): PeriodEnergyTotals => ({
  produced: 22_721_300,
  shared: 18_243_100,
  surplus: 1_352_700,
  pendingProduced: 3_125_500,
  consumed: 118_400_000,
  allocated: 18_243_100,
  complement: 100_156_900,
  pendingConsumed: 0,
  selfConsumption: 0.931,
  selfProduction: 0.154,
  co2Grams: 147_800,
  valueCents: 216_976,
  unitPrice: 1_189,
  ...more,
})
const summary = (more: Partial<EnergySummary> = {}): EnergySummary => ({
  from: '2026-11-01',
  to: '2026-11-16',
  current: totals(),
  previous: totals({ produced: 30_800_000, selfProduction: 0.206, pendingProduced: 0 }),
  lastYear: totals({ produced: 21_037_000, selfProduction: 0.161, pendingProduced: 0 }),
  steps: { expected: 9, received: 9, allocated: 7, excluded: 1, estimated: 0 },
  receivedUntil: null,
  stale: false,
  definitive: false,
  co2: { gridGramsPerKwh: 52, solarGramsPerKwh: 44, source: 'ADEME' },
  neighbours: null,
  suspended: [],
  ...more,
})

test('rates say on what they are computed, and the energies of a row share a unit', () => {
  const lines = buildEnergyLines(summary({ current: totals({ surplus: 35_270 }) }))
  expect([lines.produced.figure, lines.shared.figure, lines.surplus.figure]).toEqual([
    '22,72\u00a0MWh',
    '18,24\u00a0MWh',
    '0,04\u00a0MWh',
  ])
  expect(buildEnergyLines(summary()).selfConsumption.note).toContain('Sur 19,60\u00a0MWh produits et répartis')
  expect(buildEnergyLines(summary()).selfProduction.note).toContain('Sur 118,40\u00a0MWh consommés et répartis')
})

test('before a run nothing is known of what was shared: that is no zero', () => {
  const lines = buildEnergyLines(
    summary({ steps: { expected: 9, received: 9, allocated: 0, excluded: 0, estimated: 0 } }),
  )
  expect([lines.produced.figure, lines.shared.figure, lines.surplus.figure, lines.co2.figure]).toEqual([
    '22,72\u00a0MWh',
    '–',
    '–',
    '–',
  ])
})

test('November is held against last November; the days before it had another sun, and are neither good nor bad', () => {
  const { produced } = buildEnergyLines(summary())
  const now = summary()
  expect(computeChange(produced, now.current, chooseComparisonBase(now, 'la période précédente'))).toMatchObject({
    ratio: expect.closeTo(0.08, 3),
    against: 'la même période de 2025',
    good: 'up',
  })
  const first = summary({ lastYear: null })
  expect(computeChange(produced, first.current, chooseComparisonBase(first, 'octobre 2026'))).toMatchObject({
    ratio: expect.closeTo(-0.262, 3),
    against: 'octobre 2026',
    good: undefined,
  })
  expect(chooseComparisonBase(summary({ lastYear: null, previous: null }), '')).toBeNull()
})

test('a rate changes in points', () => {
  const now = summary()
  const change = computeChange(buildEnergyLines(now).selfProduction, now.current, chooseComparisonBase(now, ''))
  expect(change).toMatchObject({ ratio: expect.closeTo(-0.007, 9), points: true })
})

test('what is not all allocated yet is not held against what was', () => {
  const now = summary()
  const { shared, surplus, produced } = buildEnergyLines(now)
  const earlier = chooseComparisonBase(now, '')
  expect([shared, surplus].map((line) => computeChange(line, now.current, earlier))).toEqual([undefined, undefined])
  expect(computeChange(produced, now.current, earlier)).toBeDefined()
  expect(computeChange(shared, totals({ pendingProduced: 113_000 }), earlier)).toBeDefined()
})

test('what a battery did makes the whole of its charge and of its release', () => {
  const storage = { charged: 371_100, stored: 305_600, pendingCharged: 30_500, released: 310_800, restored: 285_300 }
  const lines = buildStorageLines({ ...storage, pendingReleased: 25_400, whole: true })
  expect(lines.map(({ label, figure }) => `${label} ${figure}`)).toEqual([
    'Stocké 305,6\u00a0kWh',
    'Chargé sur le réseau 35,0\u00a0kWh',
    'Restitué 310,8\u00a0kWh',
    'Charge pas encore répartie 30,5\u00a0kWh',
  ])
  expect(lines[2]?.note).toBe('Dont 285,3\u00a0kWh affectés et 0,1\u00a0kWh sans preneur')
  expect(buildStorageLines({ ...storage, pendingCharged: 0, pendingReleased: 25_500, whole: true })).toHaveLength(3)
})
