import { expect, test } from 'vitest'
import { compareDay, computeMonthCause, type DayFacts, type DayVerdict } from './day-comparison.ts'

const TOLERANCE = 1_937
const facts = (ours: number, theirs: number, more: Partial<DayFacts> = {}): DayFacts => ({
  ours: { local: ours, excluded: 0 },
  theirs: { energy: theirs, missing: 0 },
  inOurs: true,
  inTheirs: true,
  most: { day: 90_000, minute: 79_000 },
  ...more,
})
const cause = (of: DayFacts) => compareDay(of, TOLERANCE)?.cause

test.each([
  [0, 'equal'],
  [1, 'rounding'],
  [TOLERANCE, 'rounding'],
  [TOLERANCE + 1, 'unexplained'],
])('a difference of %d watt-minutes is %s in either direction', (difference, expected) => {
  expect(cause(facts(80_021 + difference, 80_021))).toBe(expected)
  expect(cause(facts(80_021, 80_021 + difference))).toBe(expected)
})

test('a step missing on one side is missing data', () => {
  expect(cause(facts(7, 79_021, { ours: { local: 7, excluded: 1 } }))).toBe('missing-data')
  expect(cause(facts(79_021, 7, { theirs: { energy: 7, missing: 1 } }))).toBe('missing-data')
  expect(compareDay(facts(80_021, 0, { theirs: undefined }), TOLERANCE)).toEqual({
    ours: 80_021,
    theirs: null,
    cause: 'missing-data',
  })
  expect(compareDay(facts(0, 80_021, { ours: undefined }), TOLERANCE)).toEqual({
    ours: null,
    theirs: 80_021,
    cause: 'missing-data',
  })
})

test('a gap explains at most what it could have contained, in its own direction', () => {
  const most = { day: 144_000, minute: 103 }
  const ours = { local: 9_011, excluded: 45 }
  const [bound, none] = [9_011 + 45 * 103 + TOLERANCE, { energy: 9_011, missing: 0 }]
  const told = (energy: number) => cause(facts(0, 0, { most, ours, theirs: { ...none, energy } }))
  expect([told(bound), told(bound + 1)]).toEqual(['missing-data', 'unexplained'])
  // A gap on our side cannot explain a lower value on theirs.
  expect(told(9_011 - TOLERANCE - 1)).toBe('unexplained')
  const theirs = { energy: 9_011, missing: 45 }
  const own = (local: number) => cause(facts(0, 0, { most, ours: { local, excluded: 0 }, theirs }))
  expect([own(bound), own(bound + 1)]).toEqual(['missing-data', 'unexplained'])
  const alone = (energy: number, more = {}) =>
    cause(facts(0, 0, { most, ours: undefined, theirs: { energy, missing: 0 }, ...more }))
  expect([alone(144_000 + TOLERANCE), alone(144_001 + TOLERANCE)]).toEqual(['missing-data', 'unexplained'])
  expect(alone(144_000, { inOurs: false })).toBe('membership-dates')
  expect(alone(144_001 + TOLERANCE, { inOurs: false })).toBe('unexplained')
})

test('a point has zero energy outside its dates, which is not a gap', () => {
  const gone = { theirs: undefined, inTheirs: false }
  expect(compareDay(facts(80_021, 0, gone), TOLERANCE)).toEqual({ ours: 80_021, theirs: 0, cause: 'membership-dates' })
  expect(compareDay(facts(TOLERANCE, 0, gone), TOLERANCE)?.cause).toBe('rounding')
  expect(cause(facts(0, 80_021, { ours: undefined, inOurs: false, inTheirs: null }))).toBe('membership-dates')
  expect(compareDay(facts(0, 0, { ours: undefined, theirs: undefined }), TOLERANCE)).toBeUndefined()
})

const day = (ours: number, theirs: number, of: DayVerdict['cause']): DayVerdict => ({ ours, theirs, cause: of })

test('a month is unexplained when the unexplained days exceed the tolerance', () => {
  const known = day(90_001, 3, 'missing-data')
  expect(computeMonthCause([known, day(TOLERANCE + 1, 0, 'unexplained')], TOLERANCE)).toBe('unexplained')
  expect(computeMonthCause([known, day(TOLERANCE, 0, 'unexplained')], TOLERANCE)).toBe('missing-data')
  expect(computeMonthCause([day(TOLERANCE, 0, 'unexplained')], TOLERANCE)).toBe('unexplained')
})

test('otherwise the cause with the largest total is returned', () => {
  const days = [
    day(5_003, 0, 'key-version'),
    day(0, 3_001, 'missing-data'),
    day(3_007, 0, 'missing-data'),
    day(90_001, 90_000, 'rounding'),
  ]
  expect(computeMonthCause(days, TOLERANCE)).toBe('missing-data')
})
