import { expect, test } from 'vitest'
import { buildCurveSeries, countElapsedSteps, hasChanged, type PointCurveData } from './point-curves.tsx'

const curve = (more: Partial<PointCurveData>): PointCurveData => ({
  startsAt: '2026-03-10T00:00:00Z',
  step: 30,
  watts: [1, null, 3, null],
  marks: [1, 0, 3, 0],
  energyWh: 2,
  present: 2,
  expected: 4,
  receivedUntil: null,
  ...more,
})

const roof = { direction: 'production', storage: false } as const
const home = { direction: 'consumption', storage: false } as const

test('what has not begun is no gap', () => {
  expect(countElapsedSteps(curve({}), Date.parse('2026-03-10T01:10:00Z'))).toBe(3)
  expect(countElapsedSteps(curve({}), Date.parse('2026-03-09T01:10:00Z'))).toBe(0)
  expect(countElapsedSteps(curve({}), Date.parse('2026-04-09T01:10:00Z'))).toBe(4)
})

test('as it was known then, with today’s beside it where the steps are alike', () => {
  expect(buildCurveSeries(roof, curve({}), undefined).map(({ label }) => label)).toEqual(['Production'])
  expect(buildCurveSeries(roof, curve({}), curve({})).map(({ compared }) => compared ?? false)).toEqual([false, true])
  expect(buildCurveSeries(home, curve({}), curve({ step: 15 }))).toHaveLength(1)
})

test('a value that came since is a change', () => {
  expect(hasChanged(curve({}), curve({}))).toBe(false)
  expect(hasChanged(curve({}), curve({ watts: [1, 2, 3, null] }))).toBe(true)
})

test('a battery charges and releases', () => {
  const label = (side: 'consumption' | 'production') =>
    buildCurveSeries({ direction: side, storage: true }, curve({}), undefined)[0]?.label
  expect([label('consumption'), label('production')]).toEqual(['Charge', 'Décharge'])
})
