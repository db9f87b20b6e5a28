import { expect, test } from 'vitest'
import { formatFraction, formatStep } from './formula-text.ts'

const normalizeSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test.each([
  ['617/50', 4, '12,34'],
  ['100/3', 4, '33,3333…'],
  ['-100/3', 2, '−33,33…'],
  ['600', 4, '600'],
  ['1234567', 2, '1 234 567'],
  ['1/3000', 2, '0,…'],
  ['0', 2, '0'],
])('%s with %i places is %s', (fraction, places, shown) => {
  expect(normalizeSpaces(formatFraction(fraction, places))).toBe(shown)
})

test.each([
  [
    'units',
    { wattMinutes: '3000026', resolutionWh: 1 },
    '1500013/30',
    50_000,
    ['3 000 026 watt-minutes ÷ 60', '50 000,4333…', '50 000 Wh'],
  ],
  ['energy', { wh: 59_671, price: 1237 }, '73813027/100000', 738, ['59,671 kWh × 12,37 c€/kWh', '7,38130…', '7,38 €']],
  [
    'indexedPrice',
    { p0: 1150, index: '118.91', base: '113.42', fixedBp: 2000, floor: null, cap: 1200 },
    '6837325/5671',
    1200,
    ['11,5 c€/kWh × (20 % + 80 % × 118,91 ÷ 113,42), au plus 12 c€/kWh', '12,0566…', '12 c€/kWh'],
  ],
  [
    'accise',
    { wh: 50_000, centsPerMwh: 3085, acciseClass: 'a' },
    '617/4',
    154,
    ['50,000 kWh × 30,85 €/MWh', '1,5425 €', '1,54 €'],
  ],
  ['vat', { base: 1238, rate: 2000 }, '1238/5', 248, ['12,38 € × 20 %', '2,476 €', '2,48 €']],
  ['vat', { base: 1000, rate: 550 }, '55', 55, ['10,00 € × 5,50 %', '0,55 €', '0,55 €']],
])('%s is written as one checks it by hand', (formula, inputs, exact, result, [sum, before, after]) => {
  const shown = formatStep({ formula, inputs, exact, result })
  expect(normalizeSpaces(shown.sum)).toBe(sum)
  expect(normalizeSpaces(shown.exact).startsWith((before ?? '').replace('…', ''))).toBe(true)
  expect(normalizeSpaces(shown.result)).toBe(after)
})
