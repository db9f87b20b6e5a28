import { describe, expect, test } from 'vitest'
import { ESTIMATED_BY_PROFILE, ESTIMATED_FROM_OWN_DAYS, type EstimatedCurve, estimateByProfile } from './estimate.ts'
import { MISSING } from './series.ts'

const curve = (...values: number[]): EstimatedCurve => ({
  values: Int32Array.from(values),
  levels: new Uint8Array(values.length),
})
const fill = (curves: EstimatedCurve[], blank = true) => {
  estimateByProfile(curves, { blank })
  return curves.map(({ values }) => [...values])
}

describe('estimate by the profile of other members', () => {
  test('a missing step is the mean of the others, scaled to the size of the curve itself', () => {
    // Half of the average of the two others where all three are known: 150 of (200 + 400) / 2.
    const [own] = fill([curve(90, 60, MISSING), curve(120, 80, 33), curve(240, 160, 67)])
    expect(own).toEqual([90, 60, 25])
  })
  test('what it filled is marked apart from what was measured, and no measure changes', () => {
    const holed = curve(90, MISSING, 60)
    fill([holed, curve(120, 37, 80)])
    expect([...holed.levels]).toEqual([0, ESTIMATED_BY_PROFILE, 0])
    expect(holed.values[0]).toBe(90)
  })
  test('earlier estimates count neither for the size nor for the profile', () => {
    const own = curve(1000, 60, MISSING)
    own.levels[0] = ESTIMATED_FROM_OWN_DAYS
    expect(fill([own, curve(120, 80, 40)])[0]).toEqual([1000, 60, 30])
    const guessed = curve(120, 80, 900)
    guessed.levels[2] = ESTIMATED_FROM_OWN_DAYS
    expect(fill([curve(90, 60, MISSING), guessed])[0]?.[2]).toBe(MISSING)
  })
  test('a curve never measured gets the average size, or stays unknown', () => {
    const others = () => [curve(100, 41), curve(200, 60)]
    expect(fill([curve(MISSING, MISSING), ...others()])[0]).toEqual([150, 51])
    expect(fill([curve(MISSING, MISSING), ...others()], false)[0]).toEqual([MISSING, MISSING])
  })
  test('a step where nobody is known stays unknown, as do curves whose others are all zero', () => {
    expect(fill([curve(90, MISSING), curve(120, MISSING)])).toEqual([
      [90, MISSING],
      [120, MISSING],
    ])
    expect(fill([curve(90, MISSING), curve(0, 70)])[0]).toEqual([90, MISSING])
  })
})
