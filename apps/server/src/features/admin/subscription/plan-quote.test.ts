import { getPlanPrice } from '@voisol/contract/plan-prices'
import { addDays } from '@voisol/money/days'
import { getAnchoredPeriod } from '@voisol/money/prorata'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computePlanQuote, type RunningPlan } from './quote.ts'

const starter = { plan: 'starter', period: 'month', price: 14_900 } as const
const professional = { plan: 'professional', period: 'month', price: 34_900 } as const
const june: RunningPlan = { ...starter, from: '2026-06-01', to: '2026-07-01' }

test('a first plan costs a whole period from today, with VAT', () => {
  expect(computePlanQuote(null, starter, '2026-01-31')).toEqual({
    on: '2026-01-31',
    now: true,
    lines: [{ label: 'Abonnement Starter, mensuel', from: '2026-01-31', to: '2026-02-28', net: 14_900 }],
    net: 14_900,
    tax: 2980,
    gross: 17_880,
  })
})

test('an upgrade costs the remaining days of the new plan less those of the old one', () => {
  const { now, on, lines, net, tax } = computePlanQuote(june, professional, '2026-06-18')
  expect({ now, on, lines: lines.map((line) => line.net), net, tax }).toEqual({
    now: true,
    on: '2026-06-18',
    lines: [15_123, -6457],
    net: 8666,
    tax: 1733,
  })
})

test('monthly to yearly starts now; a downgrade or a shorter period waits for the end of the paid period', () => {
  const yearly = { ...starter, period: 'year', price: 160_900 } as const
  const now = computePlanQuote(june, yearly, '2026-06-18')
  expect(now.lines).toMatchObject([{ from: '2026-06-18', to: '2027-06-18', net: 160_900 }, { net: -6457 }])
  const year: RunningPlan = { ...professional, period: 'year', price: 376_900, from: '2026-06-01', to: '2027-06-01' }
  for (const less of [starter, yearly, professional])
    expect(computePlanQuote(year, less, '2026-06-18')).toMatchObject({ now: false, on: '2027-06-01', net: less.price })
})

test('on any day, the amounts before and at the change equal the cost of both plans for their days', () => {
  const day = fc.integer({ min: 0, max: 3000 }).map((at) => addDays('2024-01-01', at))
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 400 }), fc.constantFrom('month', 'year'), (from, later, period) => {
      const paid = getAnchoredPeriod(from, period, from)
      const today = [addDays(from, later), addDays(paid.to, -1)].sort()[0] ?? from
      const running: RunningPlan = { plan: 'starter', period, price: getPlanPrice('starter', period), ...paid }
      const { net, gross, tax } = computePlanQuote(
        running,
        { plan: 'professional', period, price: getPlanPrice('professional', period) },
        today,
      )
      expect(net).toBeGreaterThan(0)
      expect(gross).toBe(net + tax)
      // On the first day the change costs the whole difference.
      if (today === from) expect(net).toBe(getPlanPrice('professional', period) - getPlanPrice('starter', period))
    }),
  )
})
