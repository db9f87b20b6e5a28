import { expect, test } from 'vitest'
import { formatPrice, formatPriceInput, getPriceWarning, PRICE_ERROR, parsePrice, priceInputSchema } from './price.ts'

test('a price is told in c€/kWh, and reads back as it was stored', () => {
  expect(formatPrice(1250)).toBe('12,5\u00a0c€/kWh')
  expect(formatPrice(1087)).toBe('10,87\u00a0c€/kWh')
  for (const stored of [0, 1, 7, 417, 1087, 1250, 100_000]) expect(parsePrice(formatPriceInput(stored))).toBe(stored)
  expect(formatPriceInput(null)).toBe('')
})

test('it is typed with or without its unit; what cannot be stored as it is typed is refused', () => {
  expect(['12,5', '12.5', '12,50', '12,5 c€/kWh', '12,5\u00a0c€'].map(parsePrice)).toEqual(Array(5).fill(1250))
  expect(['', 'douze', '-1', '1000,01', '12,345'].map(parsePrice)).toEqual(Array(5).fill(null))
  expect(priceInputSchema.safeParse('12,345').error?.issues[0]?.message).toBe(PRICE_ERROR)
})

test('outside of 2 to 40 it is asked about, not refused', () => {
  expect(['2', '12,5', '40', '', 'x'].map(getPriceWarning)).toEqual(Array(5).fill(null))
  expect(getPriceWarning('1,99')).toMatch(/^1,99\sc€\/kWh est inhabituel.*entre 2 et 40\sc€\/kWh\.$/)
  expect(getPriceWarning('40,01')).toMatch(/inhabituel/)
  expect(getPriceWarning('0')).toMatch(/inhabituel/)
  expect(priceInputSchema.parse('41')).toBe(4100)
})

test('euros typed for cents are recognised', () => {
  expect(getPriceWarning('0,125')).toBeNull()
  expect(getPriceWarning('0,13')).toMatch(/Vouliez-vous dire 13\sc€\/kWh\s\?$/)
})
