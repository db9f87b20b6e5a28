import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeAvoidedCo2Grams, computeDataQuality, computeRates } from './metrics.ts'

test('self-consumption, self-production and coverage rates', () => {
  expect(computeRates({ produced: 1277, allocated: 613, consumed: 2039 })).toEqual({
    selfConsumption: 613 / 1277,
    selfProduction: 613 / 2039,
    coverage: 1277 / 2039,
    surplus: 664,
    complement: 1426,
  })
  expect(computeRates({ produced: 0, allocated: 0, consumed: 0 })).toEqual({
    selfConsumption: null,
    selfProduction: null,
    coverage: null,
    surplus: 0,
    complement: 0,
  })
  expect(computeRates({ produced: 0, allocated: 0, consumed: 7 })).toMatchObject({
    selfConsumption: null,
    selfProduction: 0,
  })
})

test('the quality score counts missing, aberrant and inconsistent steps alike', () => {
  expect(computeDataQuality({ expected: 997, holes: 13, aberrant: 7, inconsistent: 3 })).toEqual({
    score: 1 - 23 / 997,
    level: 'excellent',
  })
  expect(computeDataQuality({ expected: 7, holes: 9 })).toEqual({ score: 0, level: 'insufficient' })
  expect(computeDataQuality({ expected: 0, holes: 0 })).toEqual({ score: null, level: null })
})

test.each([
  [49, 'excellent'],
  [50, 'good'],
  [100, 'good'],
  [101, 'acceptable'],
  [200, 'acceptable'],
  [201, 'insufficient'],
])('%i missing steps in a thousand are %s', (holes, level) => {
  expect(computeDataQuality({ expected: 1000, holes }).level).toBe(level)
})

test('grams of CO₂ are rounded to the nearest: grid factor less that of the panels', () => {
  expect(computeAvoidedCo2Grams(1_000_001, 52, 43)).toBe(9000)
  expect(computeAvoidedCo2Grams(722, 52, 43)).toBe(6)
  expect(computeAvoidedCo2Grams(723, 52, 43)).toBe(7)
  expect(computeAvoidedCo2Grams(55, 52, 43)).toBe(0)
  expect(computeAvoidedCo2Grams(56, 52, 43)).toBe(1)
  fc.assert(
    fc.property(fc.nat(10_000_000), fc.nat(900), fc.nat(90), (wattHours, grid, panels) => {
      const exact = wattHours * (grid - panels)
      expect(Math.abs(1000 * computeAvoidedCo2Grams(wattHours, grid, panels) - exact)).toBeLessThanOrEqual(500)
    }),
  )
})
