import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DocumentFacts, explainDifference } from './difference.ts'

const facts = (more: Partial<DocumentFacts> = {}): DocumentFacts => ({
  days: 30,
  monthDays: 30,
  shared: 900_000,
  used: 210_000,
  allUsed: 1_470_000,
  wh: 131_071,
  energyNet: 18_219,
  otherNet: 317,
  ...more,
})
const none = { days: 0, sun: 0, use: 0, key: 0, price: 0, other: 0 }

test('a single changed cause explains the whole difference', () => {
  const same = facts()
  expect(explainDifference(same, same)).toEqual(none)
  expect(explainDifference(same, facts({ energyNet: 19_923 }))).toEqual({ ...none, price: 1_704 })
  expect(explainDifference(same, facts({ otherNet: -41 }))).toEqual({ ...none, other: -358 })
  expect(explainDifference(same, facts({ wh: 262_142, energyNet: 36_438 }))).toEqual({ ...none, key: 18_219 })
  const sunny = facts({ shared: 1_800_000, wh: 262_142, energyNet: 36_438 })
  expect(explainDifference(same, sunny)).toEqual({ ...none, sun: 18_219 })
  const hungry = facts({ used: 420_000, wh: 262_142, energyNet: 36_438 })
  expect(explainDifference(same, hungry)).toEqual({ ...none, use: 18_219 })
  const half = facts({ days: 15, used: 105_000, wh: 65_536, energyNet: 9_110 })
  expect(explainDifference(same, half)).toMatchObject({ sun: 0, use: 0, other: 0, days: -9_109 })
})

test('differenceOf: a buyer present a single day has the same causes as for a whole month', () => {
  const day = facts({ days: 1, used: 7_000, wh: 4_369, energyNet: 607 })
  expect(explainDifference(day, { ...day, energyNet: 664 })).toEqual({ ...none, price: 57 })
  expect(explainDifference(day, { ...day, used: 14_000, wh: 8_738, energyNet: 1_328 })).toMatchObject({
    use: 607,
    price: 114,
  })
})

test('a member who joins, one who leaves, a month without sun: one cause explains it all', () => {
  expect(explainDifference(undefined, facts())).toEqual({ ...none, days: 18_219, other: 317 })
  expect(explainDifference(facts(), undefined)).toEqual({ ...none, days: -18_219, other: -317 })
  expect(explainDifference(facts(), facts({ shared: 0, wh: 0, energyNet: 0 }))).toEqual({ ...none, sun: -18_219 })
  expect(explainDifference(facts({ wh: 0, energyNet: 0 }), facts())).toEqual({ ...none, key: 18_219 })
})

test('the causes sum to the difference, to the cent', () => {
  const amount = fc.integer({ min: 0, max: 10_000_000 })
  const any = fc.record({
    days: fc.integer({ min: 0, max: 62 }),
    monthDays: fc.integer({ min: 28, max: 31 }),
    shared: amount,
    used: amount,
    allUsed: amount,
    wh: amount,
    energyNet: amount,
    otherNet: fc.integer({ min: -5_000, max: 5_000 }),
  })
  fc.assert(
    fc.property(any, any, (before, now) => {
      const parts = Object.values(explainDifference(before, now))
      const whole = now.energyNet + now.otherNet - before.energyNet - before.otherNet
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
      expect(parts.every(Number.isSafeInteger)).toBe(true)
    }),
  )
})
