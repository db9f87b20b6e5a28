import type { EnergySeries } from '@voisol/contract/energy'
import { dayStart } from '@voisol/energy/calendar'
import { expect, test } from 'vitest'
import { buildPeriod } from '../period/period.ts'
import {
  buildComparedSeries,
  buildExplorerSeries,
  canDrawCurve,
  chooseGranularity,
  cutAtNow,
  filterSideSeries,
  startsAsCurve,
} from './columns.ts'

const instant = (day: string) => new Date(dayStart(day) * 60_000).toISOString()
const data: EnergySeries = {
  granularity: 'day',
  starts: ['2026-11-13', '2026-11-14', '2026-11-15'].map(instant),
  step: null,
  produced: [3000, 2000, null],
  shared: [2000, 1500, null],
  surplus: [1000, 500, null],
  consumed: [5000, 6000, null],
  allocated: [2000, null, null],
  complement: [null, null, null],
  marks: [1, 1, 0],
}
const factors = { unitPrice: 1250, gramsPerKwh: 8 }

test('a day and a week are curves, a month is days, a year is months', () => {
  expect(startsAsCurve(buildPeriod('week', '2026-11-15'))).toBe(true)
  expect(chooseGranularity(buildPeriod('month', '2026-11-15'), false, 900)).toBe('day')
  expect(chooseGranularity(buildPeriod('year', '2026-11-15'), false, 900)).toBe('month')
})

test('a curve has no more points than pixels, and as many as it can', () => {
  expect(chooseGranularity(buildPeriod('week', '2026-11-15'), true, 900)).toBe('15min')
  expect(chooseGranularity(buildPeriod('week', '2026-11-15'), true, 300)).toBe('hour')
  expect(chooseGranularity(buildPeriod('month', '2026-11-15'), true, 900)).toBe('hour')
  expect(chooseGranularity(buildPeriod('year', '2026-11-15'), true, 900)).toBe('day')
  expect(chooseGranularity(buildPeriod('year', '2026-11-15'), true, 300)).toBe('month')
  expect(canDrawCurve({ unit: 'range', from: '2024-01-01', to: '2026-01-01' })).toBe(false)
})

test('what nothing is known of is not drawn, and a gap stays a gap', () => {
  const series = buildExplorerSeries(data, 'energy', factors)
  expect(series.map(({ key }) => key)).toEqual(['allocated', 'surplus', 'pendingConsumed', 'consumed', 'produced'])
  expect(series[0]?.values).toEqual([2000, null, null])
  expect(filterSideSeries(series, 'production').map(({ key }) => key)).toEqual(['allocated', 'surplus', 'produced'])
})

test('watt-hours of a step become its mean power, local energy money and carbon', () => {
  expect(buildExplorerSeries({ ...data, step: 15 }, 'energy', factors)[0]?.values[0]).toBe(8000)
  expect(buildExplorerSeries(data, 'money', factors)).toMatchObject([{ role: 'local', values: [25, null, null] }])
  expect(buildExplorerSeries(data, 'carbon', factors)[0]?.values[0]).toBe(16)
})

test('today and tomorrow are not missing', () => {
  const noon = (dayStart('2026-11-15') + 720) * 60_000
  expect(cutAtNow(data, noon).starts).toHaveLength(2)
  expect(cutAtNow(data, noon).produced).toEqual([3000, 2000])
  expect(cutAtNow({ ...data, granularity: 'month' }, noon).starts).toHaveLength(3)
})

test('another period is laid over step by step', () => {
  const [consumed] = buildComparedSeries(data, { length: 5, told: 'energy', factors, words: 'période précédente' })
  expect(consumed).toMatchObject({ key: 'consumed-compared', compared: true, values: [5000, 6000, null, null, null] })
})

test('what is in no run yet is a part of its own, of the side that is shown', () => {
  const late = { ...data, shared: [2000, 700, null], surplus: [1000, 100, null] }
  const pending = (side: 'consumption' | 'production') =>
    filterSideSeries(buildExplorerSeries(late, 'energy', factors), side).filter(({ role }) => role === 'pending')
  expect(pending('production')).toMatchObject([{ key: 'pendingProduced', values: [null, 1200, null] }])
  expect(pending('consumption')).toMatchObject([{ key: 'pendingConsumed', values: [3000, 6000, null] }])
  expect(buildExplorerSeries({ ...late, step: 15 }, 'energy', factors).map(({ key }) => key)).not.toContain(
    'pendingProduced',
  )
})

test('with a battery, what goes straight, what is stored and what comes back stand apart, and make the same wholes', () => {
  const storage = {
    charged: [900, 800, null],
    stored: [700, 300, null],
    released: [350, 500, null],
    restored: [300, 450, null],
  }
  // Shared and restored are what was got and stored.
  const own = { ...data, allocated: [1600, 1650, null], complement: [3400, 4350, null], storage }
  const series = buildExplorerSeries(own, 'energy', factors)
  const stack = (side: 'consumption' | 'production') =>
    filterSideSeries(series, side).filter(({ role }) => role !== 'consumption' && role !== 'production')
  expect(stack('consumption').map(({ key, values }) => [key, values[0]])).toEqual([
    ['allocated', 1300],
    ['restored', 300],
    ['complement', 3400],
  ])
  expect(stack('production').map(({ key, values }) => [key, values[1]])).toEqual([
    ['allocated', 1200],
    ['stored', 300],
    ['surplus', 500],
  ])
  expect(cutAtNow(own, (dayStart('2026-11-15') + 720) * 60_000).storage?.stored).toEqual([700, 300])
})

test('where a battery gives to others than those shown, nothing is taken apart', () => {
  const storage = {
    charged: [900, 800, null],
    stored: [0, 0, null],
    released: [350, 500, null],
    restored: [300, 450, null],
  }
  const keys = buildExplorerSeries({ ...data, storage }, 'energy', factors).map(({ key }) => key)
  expect(keys).not.toContain('restored')
  expect(keys).not.toContain('stored')
})
