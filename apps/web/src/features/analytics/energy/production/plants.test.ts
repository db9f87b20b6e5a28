import { expect, test } from 'vitest'
import { buildPlantsCsv, computeYield, filterPlants, listOperationOptions, type Plant, sortPlants } from './plants.ts'

const makePlant = (id: string, more: Partial<Plant> = {}): Plant => ({
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
    makePlant('1'),
    makePlant('2', { peakWatts: 3000, produced: 0, yield: 0 }),
    makePlant('3', { peakWatts: null, yield: null }),
  ]
  expect(computeYield(rows)).toEqual({ peak: 12_000, value: 1.5 })
  expect(computeYield([makePlant('1', { yield: null })])).toBeNull()
})

test('what is not known comes last whichever way one sorts', () => {
  const rows = [
    makePlant('1', { performance: null }),
    makePlant('2', { performance: 0.5 }),
    makePlant('3', { performance: 1 }),
  ]
  expect(sortPlants(rows, 'performance').map(({ id }) => id)).toEqual(['2', '3', '1'])
  expect(sortPlants(rows, '-performance').map(({ id }) => id)).toEqual(['3', '2', '1'])
  expect(sortPlants(rows, 'nonsense')).toEqual(rows)
})

test('a plant is found by name without accents, by operation or by its number', () => {
  const rows = [makePlant('1'), makePlant('2', { operationName: 'Bord de Loire', operationId: 'loire' })]
  expect(filterPlants(rows, 'ecole')).toHaveLength(2)
  expect(filterPlants(rows, 'loire')).toHaveLength(1)
  expect(filterPlants(rows, '30 000 000 000 002')).toHaveLength(1)
  expect(listOperationOptions(rows).map(({ label }) => label)).toEqual(['Bord de Loire', 'Les Tilleuls'])
})

test('the file holds what is shown, with decimal commas', () => {
  expect(buildPlantsCsv([makePlant('1')])).toContain(
    'Toit 1;30000000000001;École Prévert;Les Tilleuls;9,000;18,000;12,000;6,000;0,000;2,000;20,000;90,0;100,0;',
  )
})
