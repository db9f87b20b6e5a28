import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '../calendar/days.ts'
import { addMonthsToDay, getAnchoredPeriod, prorateCents } from './prorata.ts'

const day = fc.integer({ min: 0, max: 4000 }).map((at) => addDays('2024-01-01', at))

test('however a period is cut, its parts sum to its price', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 366 }), { maxLength: 8 })
  fc.assert(
    fc.property(
      day,
      fc.integer({ min: 0, max: 900_000 }),
      fc.constantFrom('month', 'year'),
      cuts,
      (from, price, every, at) => {
        const period = getAnchoredPeriod(from, every, from)
        const length = daysBetween(period.from, period.to)
        const days = [0, ...at.map((one) => one % (length + 1)).sort((a, b) => a - b), length].map((one) =>
          addDays(from, one),
        )
        const parts = days.slice(1).map((to, i) => prorateCents(price, period, { from: days[i] ?? from, to }))
        expect(parts.reduce((sum, one) => sum + one, 0)).toBe(price)
        expect(parts.every((one) => one >= 0)).toBe(true)
      },
    ),
  )
})

test('a part is its share of the days, to the cent', () => {
  const june = { from: '2026-06-01', to: '2026-07-01' }
  expect(prorateCents(14_900, june, { from: '2026-06-18', to: '2026-07-01' })).toBe(6457)
  expect(prorateCents(34_900, june, { from: '2026-06-18', to: '2026-07-01' })).toBe(15_123)
  expect(prorateCents(14_900, june, june)).toBe(14_900)
  expect(() => prorateCents(14_900, june, { from: '2026-05-31', to: '2026-06-02' })).toThrow(RangeError)
  expect(() => prorateCents(14_900, june, { from: '2026-06-30', to: '2026-07-02' })).toThrow(RangeError)
})

test('periods follow one another without a gap, and contain the day asked for', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 1500 }), fc.constantFrom('month', 'year'), (anchor, later, every) => {
      const at = addDays(anchor, later)
      const { from, to } = getAnchoredPeriod(anchor, every, at)
      expect(from <= at && at < to).toBe(true)
      expect(getAnchoredPeriod(anchor, every, to).from).toBe(to)
    }),
  )
  expect(getAnchoredPeriod('2026-01-31', 'month', '2026-02-28')).toEqual({ from: '2026-02-28', to: '2026-03-31' })
  expect(addMonthsToDay('2024-02-29', 12)).toBe('2025-02-28')
})
