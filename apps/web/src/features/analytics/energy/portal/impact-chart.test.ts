import type { EnergySeries } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { buildImpactSeries } from './impact-chart.tsx'

const none = [null, null, null]
const data: EnergySeries = {
  granularity: 'month',
  step: null,
  marks: [1, 0, 1],
  starts: ['2026-01-01', '2026-02-01', '2026-03-01'],
  produced: none,
  surplus: none,
  consumed: none,
  complement: none,
  allocated: [1000, null, 3000],
  shared: [2000, 2000, 2000],
}

test('grams of each month; a month that is not known is a gap', () => {
  expect(buildImpactSeries(data, 'consumption', 8, 'each').series[0]?.values).toEqual([8, null, 24])
  expect(buildImpactSeries(data, 'production', 8, 'each').series[0]?.values).toEqual([16, 16, 16])
})

test('what adds up keeps its level where a month is not known', () => {
  expect(buildImpactSeries(data, 'consumption', 8, 'sum').series[0]?.values).toEqual([8, 8, 32])
})
