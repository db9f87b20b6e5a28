import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../calendar/days.ts'
import {
  applyBasisPoints,
  computeAcciseCents,
  computeEnergyCents,
  computeMeanPrice,
  computeValueCents,
} from './amounts.ts'
import { computeFeeCents } from './fees.ts'
import {
  computeIndexedPrice,
  findPricingRule,
  findTiedRules,
  getClassSortKey,
  getIndexValueOn,
  getRuleScore,
} from './pricing-rules.ts'

test('amounts are rounded once, half away from zero', () => {
  expect([computeEnergyCents(50, 1_000), computeEnergyCents(-50, 1_000), computeEnergyCents(4_166, 1_200)]).toEqual([
    1, -1, 50,
  ])
  // 30,85 €/MWh on 162,075 kWh: with a rate rounded to four decimals it would be 501.
  expect(computeAcciseCents(162_075, 3_085)).toBe(500)
  expect([applyBasisPoints(1_533, 2_000), applyBasisPoints(-125, 1_000)]).toEqual([307, -13])
})

test('an indexed price is computed from P0, then limited by floor and cap', () => {
  const base = '112.05'
  expect(computeIndexedPrice(1_234, '118.37', { base })).toBe(1_304)
  expect(computeIndexedPrice(1_000, '100.05', { base: '100' })).toBe(1_001)
  expect(computeIndexedPrice(1_200, '131.2', { base: '120.4', fixedBp: 1_500 })).toBe(1_291)
  expect(computeIndexedPrice(1_200, '160', { base: '120', cap: 1_400 })).toBe(1_400)
  expect(computeIndexedPrice(1_200, '60', { base: '120', floor: 800 })).toBe(800)
  expect(computeIndexedPrice(1_200, '131.2', { base: '120.4', fixedBp: 10_000 })).toBe(1_200)
  expect(computeIndexedPrice(0, '131.2', { base: '120.4' })).toBe(0)
})

test('the most specific rule applies, whatever the order', () => {
  const rules = [
    { id: 'flat', price: 1 },
    { id: 'class', price: 2, class: 'HCB' },
    { id: 'producer', price: 3, producer: 'P1' },
    { id: 'both', price: 4, producer: 'P1', class: 'HCB' },
    { id: 'group', price: 5, group: 'social' },
    { id: 'buyer', price: 6, buyer: 'B7' },
  ]
  const holds = (sale: Partial<Parameters<typeof findPricingRule>[1]>) =>
    [rules, rules.toReversed()].map(
      (list) => findPricingRule(list, { buyer: 'B1', group: undefined, producer: 'P9', class: 'HPB', ...sale })?.id,
    )
  expect(holds({})).toEqual(['flat', 'flat'])
  expect(holds({ class: 'HCB' })).toEqual(['class', 'class'])
  expect(holds({ producer: 'P1' })).toEqual(['producer', 'producer'])
  expect(holds({ producer: 'P1', class: 'HCB' })).toEqual(['both', 'both'])
  expect(holds({ producer: 'P1', class: 'HCB', group: 'social' })).toEqual(['group', 'group'])
  expect(holds({ group: 'social', buyer: 'B7' })).toEqual(['buyer', 'buyer'])
  expect(getRuleScore({ id: 'all', price: 0, buyer: 'B', group: 'g', producer: 'P', class: 'c' })).toBe(15)
  expect(
    findPricingRule([{ id: 'x', price: 1, buyer: 'B2' }], { buyer: 'B1', group: undefined, producer: 'P', class: 'c' }),
  ).toBeUndefined()
})

test('two rules with the same criteria are tied', () => {
  const rules = [
    { id: 'a', price: 1, class: 'P' },
    { id: 'b', price: 2 },
    { id: 'c', price: 3, class: 'P' },
  ]
  expect(findTiedRules(rules).map((pair) => pair.map(({ id }) => id))).toEqual([['a', 'c']])
})

test('an index applies from its day; one that is not published has no value', () => {
  const values = [
    { from: '2026-10-15', value: null },
    { from: '2026-01-01', value: '115.2' },
  ]
  const index = { base: '110', values }
  expect(getIndexValueOn(index, '2025-12-31', false)).toBeUndefined()
  expect(getIndexValueOn(index, '2026-10-14', false)).toBe('115.2')
  expect(getIndexValueOn(index, '2026-10-15', false)).toBeNull()
  expect(getIndexValueOn(index, '2026-10-15', true)).toBe('115.2')
})

test('classes are in the order of the distributor, none first, others last', () => {
  const names = ['Base', 'HCB', undefined, 'P', 'HPB', 'HCH', 'HPH', 'Autre']
  const sorted = names.toSorted((a, b) => (getClassSortKey(a) < getClassSortKey(b) ? -1 : 1))
  expect([names.includes(undefined), ...sorted.filter(Boolean)]).toEqual([
    true,
    'P',
    'HPH',
    'HCH',
    'HPB',
    'HCB',
    'Autre',
    'Base',
  ])
  expect(getClassSortKey(undefined) < getClassSortKey('P')).toBe(true)
})

test('the parts of a year sum to the year, however it is cut', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 364 }), { maxLength: 14 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), cuts, (amount, days) => {
      const bounds = [0, ...days.toSorted((a, b) => a - b), 365].map((day) => addDays('2027-01-01', day))
      const parts = bounds.slice(1).map((to, at) => ({ from: bounds[at] ?? to, to }))
      const cents = parts.map((span) =>
        computeFeeCents({ amount, every: 'year' }, { from: '2025-01-01', to: null }, span),
      )
      expect(cents.reduce((sum, part) => sum + part, 0)).toBe(amount)
    }),
  )
})

test('entry and exit are prorated by the day', () => {
  const month = { amount: 500, every: 'month' } as const
  const february = { from: '2026-02-01', to: '2026-03-01' }
  expect(computeFeeCents(month, { from: '2026-02-10', to: null }, february)).toBe(339)
  expect(
    computeFeeCents(
      { amount: 36_600, every: 'year' },
      { from: '2028-02-01', to: '2028-03-01' },
      { from: '2028-02-01', to: '2028-03-01' },
    ),
  ).toBe(2_900)
  expect(computeFeeCents(month, { from: '2026-03-01', to: null }, february)).toBe(0)
  // The span contains two periods.
  expect(computeFeeCents(month, { from: '2026-02-10', to: null }, { from: '2026-02-01', to: '2026-04-01' })).toBe(839)
})

test('the value of energy is rounded once, and its mean price equals a single price', () => {
  const part = (wattMinutes: number, price: number) => ({ wattMinutes, price })
  expect([
    computeValueCents([part(3_000, 1_000)]),
    computeValueCents([part(2_999, 1_000)]),
    computeValueCents([]),
  ]).toEqual([1, 0, 0])
  expect(computeValueCents([part(2_400, 1_000), part(1_200, 2_000)])).toBe(1)
  expect(computeMeanPrice([part(7, 1_377), part(9, 1_377)])).toBe(1_377)
  expect(computeMeanPrice([part(1_001, 1_377), part(3_003, 1_213)])).toBe(1_254)
  expect([computeMeanPrice([]), computeMeanPrice([part(0, 1_377)])]).toEqual([null, null])
})
