import { expect, test } from 'vitest'
import { found, operationsOf, type Plant, plantsCsv, sorted, yieldOf } from './rows.ts'

const plant = (id: string, more: Partial<Plant> = {}): Plant => ({
  id,
  prm: `3000000000000${id}`,
  label: `Toit ${id}`,
  participantName: 'École Prévert',
  operationId: 'op',
  operationName: 'Les Tilleuls',
  peakWatts: 9000,
  produced: 18_000,
  shared: 12_000,
  pendingProduced: 0,
  surplus: 6000,
  yield: 2,
  expected: 20_000,
  performance: 0.9,
  completeness: 1,
  alarms: [],
  sparkline: [],
  ...more,
})

test('the yield of several plants is that of their sum, those without a peak power left out', () => {
  const rows = [
    plant('1'),
    plant('2', { peakWatts: 3000, produced: 0, yield: 0 }),
    plant('3', { peakWatts: null, yield: null }),
  ]
  expect(yieldOf(rows)).toEqual({ peak: 12_000, value: 1.5 })
  expect(yieldOf([plant('1', { yield: null })])).toBeNull()
})

test('what is not known comes last whichever way one sorts', () => {
  const rows = [plant('1', { performance: null }), plant('2', { performance: 0.5 }), plant('3', { performance: 1 })]
  expect(sorted(rows, 'performance').map(({ id }) => id)).toEqual(['2', '3', '1'])
  expect(sorted(rows, '-performance').map(({ id }) => id)).toEqual(['3', '2', '1'])
  expect(sorted(rows, 'nonsense')).toEqual(rows)
})

test('a plant is found by name without accents, by operation or by its number', () => {
  const rows = [plant('1'), plant('2', { operationName: 'Bord de Loire', operationId: 'loire' })]
  expect(found(rows, 'ecole')).toHaveLength(2)
  expect(found(rows, 'loire')).toHaveLength(1)
  expect(found(rows, '30 000 000 000 002')).toHaveLength(1)
  expect(operationsOf(rows).map(({ label }) => label)).toEqual(['Bord de Loire', 'Les Tilleuls'])
})

test('the file holds what is shown, with decimal commas', () => {
  expect(plantsCsv([plant('1')])).toContain(
    'Toit 1;30000000000001;École Prévert;Les Tilleuls;9,000;18,000;12,000;6,000;0,000;2,000;20,000;90,0;100,0;',
  )
})
