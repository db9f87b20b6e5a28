import { expect, test } from 'vitest'
import { computeMonthVerdict, wattMinutesToWh } from './month-verdict.ts'
import type { MonthResult } from './reconcile-months.ts'

test.each([
  [1, 0.017],
  [49, 0.817],
  [7_229, 120.483],
  [-1, -0.017],
])('converts %d watt-minutes to %d Wh, rounded to a thousandth', (wattMinutes, wh) => {
  expect(wattMinutesToWh(wattMinutes)).toBe(wh)
})

type Point = Pick<MonthResult['points'][number], 'ours' | 'theirs' | 'cause'>
const verdict = (points: Point[], covered: unknown[] = [{}]) =>
  computeMonthVerdict({ scene: { covered }, points } as unknown as MonthResult) // the fields that a verdict reads
const point = (cause: Point['cause'], more: Partial<Point> = {}): Point => ({ ours: 713, theirs: 709, cause, ...more })

test('one unexplained point makes the month different', () => {
  expect(verdict([point('equal'), point('rounding')])).toBe('agreed')
  expect(verdict([point('equal'), point('key-version')])).toBe('explained')
  expect(verdict([point('equal'), point('unexplained'), point('key-version')])).toBe('different')
})

test.each(['swapped-members', 'shifted-day', 'missing-class'] as const)(
  'a distributor error (%s) is a known cause and still needs attention',
  (cause) => {
    expect(verdict([point('equal'), point(cause)])).toBe('different')
  },
)

test('data of one side only is not compared', () => {
  const lone = [point('missing-data', { ours: null }), point('missing-data', { theirs: null })]
  expect(verdict(lone)).toBe('nothing-to-compare')
  expect(verdict([...lone, point('equal')])).toBe('explained')
  expect(verdict([point('equal')], [])).toBe('nothing-to-compare')
})
